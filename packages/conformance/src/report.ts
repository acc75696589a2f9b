import type { Departure } from './departures.ts';
import type { WireId } from './wires/probe.ts';

/** What came of one check of one API. Departures that trouble nobody are left out. */
export type Outcome =
  | { readonly kind: 'ok'; readonly notes: readonly Departure[] }
  | { readonly kind: 'failed'; readonly violations: readonly Departure[]; readonly notes: readonly Departure[] }
  | { readonly kind: 'skipped'; readonly reason: string }
  /** The server does not have the API, or what the check is about. */
  | { readonly kind: 'not-served' }
  /** The API has nothing of the kind. */
  | { readonly kind: 'none' };

export interface ReportRow {
  readonly check: string;
  readonly expects: string;
  readonly outcomes: Readonly<Partial<Record<WireId, Outcome>>>;
}

export interface ConformanceReport {
  readonly baseUrl: string;
  readonly model: string;
  readonly wires: readonly WireId[];
  readonly rows: readonly ReportRow[];
  /** False when a check failed, or no API is served at all. */
  readonly passed: boolean;
}
