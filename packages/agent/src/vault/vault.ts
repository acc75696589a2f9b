/** A file or folder of a vault. */
export interface VaultEntry {
  /** From the root, with `/`, without one in front. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Bytes. */
  readonly size?: number;
}

/**
 * The folder that an agent works on: a vault of notes, or any folder. A host writes an adapter for it; tools never see it.
 * Paths come confined: relative, with `/`, without `.` and `..`. What is not there rejects.
 */
export interface Vault {
  /** Everything below a folder, `''` for the root; `isHidden` says what need not be gone through. */
  list(folder: string, isHidden: (path: string) => boolean): Promise<readonly VaultEntry[]>;
  stat(path: string): Promise<VaultEntry | undefined>;
  read(path: string): Promise<string>;
  /** Makes folders that are missing. */
  write(path: string, text: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** To a trash where the host has one. */
  delete(path: string): Promise<void>;
  /** The note that its person looks at. */
  active?(): string | undefined;
  /**
   * Where a path leads when links are followed, as a path from the root; undefined where it leads out of the vault. Of a path
   * that is not there: its nearest folder followed. A host without links leaves it out.
   */
  resolve?(path: string): Promise<string | undefined>;
}

/** Something that a tool could not do, in a sentence for the model. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}
