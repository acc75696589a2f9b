export interface PageBlock {
  readonly language: string;
  readonly text: string;
}

export function writeClientDocs(): Promise<void>;
export function clientPage(client: { readonly id: string }): string;
export function renderClientPage(page: string, blocks: ReadonlyMap<string, readonly PageBlock[]>): string;
