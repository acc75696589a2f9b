import { createInterface, emitKeypressEvents } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Screen } from './screen.ts';

export interface KeyboardOptions {
  /** What comes before the line. */
  readonly sign: string;
  /** What comes before its further lines. Without it, one line is all. */
  readonly furtherSign?: string;
  /** What was written before, the newest first. */
  readonly history?: readonly string[];
  /** What a word may become. */
  readonly complete?: (line: string) => readonly string[];
  readonly signal?: AbortSignal;
  /** Begins with what was typed while something ran. */
  readonly takesTyped?: boolean;
}

/** What a person has done: `end` is Ctrl-D, or the end of the input; `interrupt` Ctrl-C in an empty line. */
export type Typed = { readonly text: string } | 'end' | 'interrupt';

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/** Keys of a terminal: lines while a person is asked, Ctrl-C while something runs. */
export class Keyboard {
  readonly #input: Readable;
  readonly #screen: Screen;
  /** What was typed while something ran. */
  #typed = '';
  /** Hears keys while something runs, but for the time in which a person is asked. */
  #watcher: ((letters: unknown, key: Key | undefined) => void) | undefined;

  constructor(input: Readable, screen: Screen) {
    this.#input = input;
    this.#screen = screen;
    // Terminals then mark what is pasted, so that its lines are not sent one by one.
    screen.output.write('\x1b[?2004h');
  }

  close(): void {
    this.#screen.output.write('\x1b[?2004l');
    this.#input.pause();
  }

  /** Lets a person write. A line that ends with a backslash goes on in the next one, and so does what is pasted. */
  ask({ sign, furtherSign, history = [], complete, signal, takesTyped = false }: KeyboardOptions): Promise<Typed> {
    return new Promise((resolve) => {
      const lines: string[] = [];
      let isPasting = false;
      this.#screen.quiet();
      this.#listen(false);
      const editor = createInterface({
        input: this.#input,
        output: this.#screen.output,
        terminal: true,
        prompt: sign,
        history: [...history],
        tabSize: 4,
        ...(complete !== undefined && { completer: (line: string) => [complete(line), line] }),
        ...(signal !== undefined && { signal }),
      });
      const onKey = (_: unknown, key: Key | undefined) => {
        if (key?.name === 'paste-start') isPasting = true;
        else if (key?.name === 'paste-end') isPasting = false;
      };
      let done = false;
      const finish = (typed: Typed) => {
        if (done) return;
        done = true;
        this.#input.off('keypress', onKey);
        editor.close();
        this.#screen.typed();
        this.#listen(true);
        resolve(typed);
      };
      // Before the editor's own listener, which would hear the end of a line first.
      this.#input.prependListener('keypress', onKey);
      const more = (line: string) => {
        lines.push(line);
        editor.setPrompt(furtherSign ?? '');
        editor.prompt();
      };
      editor.on('line', (line) => {
        if (furtherSign !== undefined && isPasting) more(line);
        else if (furtherSign !== undefined && line.endsWith('\\')) more(line.slice(0, -1));
        else finish({ text: [...lines, line].join('\n') });
      });
      editor.on('SIGINT', () => {
        const isEmpty = editor.line === '' && lines.length === 0;
        this.#screen.output.write('\n');
        if (isEmpty) finish('interrupt');
        else {
          // What was written is given up.
          lines.length = 0;
          editor.setPrompt(sign);
          editor.write(null, { ctrl: true, name: 'e' });
          editor.write(null, { ctrl: true, name: 'u' });
          editor.prompt();
        }
      });
      editor.once('close', () => {
        if (!done) this.#screen.output.write('\n');
        finish('end');
      });
      editor.prompt();
      if (takesTyped && this.#typed !== '') editor.write(this.#typed);
      this.#typed = '';
    });
  }

  /** While something runs: what is typed waits, and `interrupted` hears Ctrl-C and Escape. Returns what ends it. */
  watch(interrupted: () => void): () => void {
    this.#watcher = (letters, key) => {
      if (key?.name === 'escape' || (key?.ctrl === true && key.name === 'c')) interrupted();
      else if (key?.name === 'backspace') this.#typed = this.#typed.slice(0, -1);
      // An Enter of before would send what nobody has seen.
      else if (key?.name === 'return') this.#typed += ' ';
      else if (typeof letters === 'string' && letters >= ' ' && letters !== '\x7f') this.#typed += letters;
    };
    this.#listen(true);
    return () => {
      this.#listen(false);
      this.#watcher = undefined;
    };
  }

  #listen(isListening: boolean): void {
    const watcher = this.#watcher;
    if (watcher === undefined) return;
    const input = this.#input;
    // The editor of a line leaves them as they were, and so a question in between changes nothing.
    emitKeypressEvents(input);
    input.off('keypress', watcher);
    if (isListening) input.on('keypress', watcher);
    if ('setRawMode' in input && typeof input.setRawMode === 'function') input.setRawMode(isListening);
    if (isListening) input.resume();
    else input.pause();
  }
}
