/** What is known after a turn. */
export interface Evidence {
  /** The route of the API that the agent was told to use. */
  readonly route: string;
  /** How its requests come: `POST`, or `WEBSOCKET`. */
  readonly method: string;
  /** The upstream that the agent's model belongs to. */
  readonly upstream: string;
  /** How many replies with calls the task takes; at least two where it is absent. */
  readonly rounds?: number | undefined;
  /** The statuses with which its upstream refused requests, in their order, until the agent asked again. Default: none. */
  readonly refusals?: readonly number[];
  /** Whether the log tells results, since they were written as text. Default: true. */
  readonly inText?: boolean;
  /** What only the file held. */
  readonly secret: string;
  /** The files as they should be now, and as they are. */
  readonly files: readonly { readonly name: string; readonly wanted: string; readonly found: string }[];
  /** What the agent showed. */
  readonly said: string;
  /** The gateway's log, JSON lines. */
  readonly log: string;
}

export function judgeTurn(evidence: Evidence): string[];
