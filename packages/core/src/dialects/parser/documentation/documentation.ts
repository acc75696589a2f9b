import type { ParsePolicy } from '../../dialect.ts';
import type { Marker } from '../grammar.ts';
import type { Scanner } from '../scanner.ts';
import type { TextOutlet } from '../text-outlet.ts';
import type { Markdown, ShownPlace } from './markdown.ts';
import type { MentionPlace, Mentions } from './mention.ts';

/** What the documentation in a reply is found by, and where it is reported. */
interface DocumentationOptions {
  readonly mentions: Mentions | undefined;
  readonly policy: Pick<ParsePolicy, 'fences'>;
  readonly out: TextOutlet;
  readonly markdown: Markdown;
}

/**
 * Says of each marker in visible text whether it is only shown, which never runs: by the marks of Markdown around it (code, a
 * quotation), by the words before it (a sentence that mentions it), or by the line before it (an example of our own lesson).
 * It is reported once for each such place. What the marker means where it is meant is no question here.
 */
export class Documentation {
  readonly #options: DocumentationOptions;
  /** The last place that was reported. */
  #reportedPlace: number | undefined;

  constructor(options: DocumentationOptions) {
    this.#options = options;
  }

  /** Markers in documentation count like any other. */
  get #counts(): boolean {
    return this.#options.policy.fences === 'fire';
  }

  /** A call that is shown in a paragraph goes on as long as it is open; after the end of a turn, one may begin the next. */
  nest(marker: Marker): void {
    if (marker.kind === 'opener' || marker.kind === 'turn-end') this.#options.markdown.nest(1);
    else if (marker.kind === 'closer' && marker.of !== 'value') this.#options.markdown.nest(-1);
  }

  /** Do marks of Markdown show the marker at `index`? Of openers that is reported. */
  shows(scanner: Scanner, index: number, marker: Marker): boolean {
    if (this.#counts) return false;
    const place = this.#options.markdown.findShown();
    if (place === undefined) return false;
    if (marker.kind === 'opener' && this.#reportedPlace !== this.#options.markdown.placeNumber)
      this.#report(place, scanner, index);
    return true;
  }

  /** Does what comes before mention the call or section at `index`? That is reported, and hides what follows. */
  mentions(scanner: Scanner, index: number): boolean {
    const place = this.#findMention(scanner, index);
    if (place === undefined) return false;
    this.#options.markdown.openMention(place);
    this.#report(place, scanner, index);
    return true;
  }

  /** The same for the end of a turn, of which nothing is reported: what begins the next one may be a call, which is mentioned with it. */
  mentionsTurn(scanner: Scanner, index: number): boolean {
    const place = this.#findMention(scanner, index);
    if (place !== undefined) this.#options.markdown.openMention(place);
    return place !== undefined;
  }

  #findMention(scanner: Scanner, index: number): MentionPlace | undefined {
    const { mentions, out } = this.#options;
    return this.#counts || out.atEdge(scanner, index) ? undefined : mentions?.find(scanner, index);
  }

  #report(place: ShownPlace, scanner: Scanner, index: number): void {
    this.#reportedPlace = this.#options.markdown.placeNumber;
    this.#options.out.report('call-in-fence', `Call syntax in ${place} was not run.`, scanner, index);
  }
}
