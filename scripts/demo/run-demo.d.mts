/** Where the demonstration writes and what surrounds it. */
export interface DemoSurroundings {
  /** The repository whose files are read. */
  readonly root: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Characters in a line. */
  readonly width: number;
  readonly colour: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A gateway with the demo model, where none is named. `turns`: what that model saw and wrote. */
  readonly startGateway: () => Promise<{
    readonly url: string;
    readonly turns: readonly object[];
    close(): Promise<void>;
  }>;
}

export function runDemo(args: readonly string[], surroundings: DemoSurroundings): Promise<number>;
