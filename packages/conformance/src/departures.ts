/**
 * How much a departure weighs. `violation`: it breaks the published API, or a client that keeps to it fails. `note`: the API
 * allows it or does not say, but it is known to trouble some client. `form`: nobody is troubled; it only is not the one
 * narrow form that Dragoman's own streams have.
 */
export type Level = 'violation' | 'note' | 'form';

/** One place where a reply departs from its API. */
export interface Departure {
  readonly level: Level;
  /** Number of the frame or line, from zero; -1 where it concerns none. */
  readonly place: number;
  /** The rule that is broken, in words. */
  readonly what: string;
  /** The frame or line as it came; empty where it concerns none. */
  readonly frame: string;
}

/** Gathers departures while a reply is read; knows which frame is being read. */
export class Departures {
  readonly #found: Departure[] = [];
  #place = -1;
  #frame = '';

  /** What is told from now on is about the next frame. */
  next(frame: string): void {
    this.#place += 1;
    this.#frame = frame;
  }

  violate(what: string): void {
    this.report('violation', what);
  }

  note(what: string): void {
    this.report('note', what);
  }

  form(what: string): void {
    this.report('form', what);
  }

  report(level: Level, what: string): void {
    this.#found.push({ level, what, place: this.#place, frame: this.#frame });
  }

  all(): readonly Departure[] {
    return this.#found;
  }
}

/** Departures of every level as one text each, such as `event 3: is not JSON`. */
export function textsOf(departures: readonly Departure[], unit: 'frame' | 'event' | 'line'): string[] {
  return departures.map(({ place, what }) => `${unit} ${place}: ${what}`);
}
