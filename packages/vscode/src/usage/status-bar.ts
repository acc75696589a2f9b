import * as vscode from 'vscode';
import type { Fill } from './usage-tracker.ts';

/** How the gauge looks. */
export interface Gauge {
  readonly text: string;
  readonly tooltip: string;
  readonly colour: 'none' | 'warning' | 'error';
}

/** Such as `41.3K`, `128K`, `1.2M`. */
export function shortNumber(value: number): string {
  if (value < 1000) return String(value);
  const [size, unit] = value < 999_950 ? [1000, 'K'] : [1_000_000, 'M'];
  const rounded = Math.round((value / size) * 10) / 10;
  return `${rounded}${unit}`;
}

/** Used and whole of the window; a tilde where we counted ourselves; yellow from 75 percent on, red from 90. */
export function gaugeOf(fill: Fill, isStreaming: boolean): Gauge {
  const share = fill.window > 0 ? fill.used / fill.window : 0;
  const percent = Math.round(share * 100);
  const sign = isStreaming ? '$(sync~spin)' : '$(dashboard)';
  const about = fill.isEstimate ? '~' : '';
  const lines = [
    `**${fill.modelId}**`,
    `Used ${about}${fill.used.toLocaleString('en-US')} of ${fill.window.toLocaleString('en-US')} tokens (${percent} %)`,
    ...(fill.cached > 0 ? [`${fill.cached.toLocaleString('en-US')} of them from a cache`] : []),
    ...(fill.cost === undefined ? [] : [`The last turn cost $${fill.cost.toFixed(4)}`]),
    ...(fill.isEstimate ? ['Estimated: the server does not count.'] : []),
  ];
  return {
    text: `${sign} ${about}${shortNumber(fill.used)}/${shortNumber(fill.window)} ${percent}%`,
    tooltip: lines.join('\n\n'),
    colour: share >= 0.9 ? 'error' : share >= 0.75 ? 'warning' : 'none',
  };
}

const colours = { warning: 'statusBarItem.warningBackground', error: 'statusBarItem.errorBackground' };

/** The gauge in the status bar. It appears with the first turn; a click shows the usage of all models. */
export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 90);
  readonly #isEnabled: () => boolean;
  #fill: Fill | undefined;
  #running = 0;

  constructor(isEnabled: () => boolean) {
    this.#isEnabled = isEnabled;
    this.#item.name = 'Dragoman';
    this.#item.command = 'dragoman.showUsage';
  }

  /** A turn has begun: what it fills is estimated until the server tells. */
  begin(fill: Fill): void {
    this.#running += 1;
    this.#show(fill);
  }

  end(fill: Fill): void {
    this.#running -= 1;
    this.#show(fill);
  }

  /** After a change of settings. */
  update(): void {
    if (this.#fill !== undefined) this.#show(this.#fill);
  }

  dispose(): void {
    this.#item.dispose();
  }

  #show(fill: Fill): void {
    this.#fill = fill;
    if (!this.#isEnabled()) {
      this.#item.hide();
      return;
    }
    const { text, tooltip, colour } = gaugeOf(fill, this.#running > 0);
    this.#item.text = text;
    this.#item.tooltip = new vscode.MarkdownString(tooltip);
    this.#item.backgroundColor = colour === 'none' ? undefined : new vscode.ThemeColor(colours[colour]);
    this.#item.show();
  }
}
