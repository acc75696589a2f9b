interface Panel {
  readonly title: string;
  readonly lines: readonly string[];
}

interface Layout {
  readonly width: number;
  readonly emphasise: (text: string) => string;
  readonly dim: (text: string) => string;
}

export function middleOut(lines: readonly string[], most?: number): string[];
export function layOut(left: Panel, right: Panel, layout: Layout): string;
export function wrap(line: string, width: number): string[];
