const embeddings = 'Dragoman makes no embeddings. Ask the server that runs the embedding model.';
const models =
  'Dragoman runs no models, so it makes, copies, deletes and uploads none. Ask the Ollama that runs them, or name models in the configuration.';

/** What the APIs that are spoken here have besides, and Dragoman does not do. */
const unserved: readonly (readonly [path: string, reason: string])[] = [
  ['/v1/embeddings', embeddings],
  ['/embeddings', embeddings],
  ['/api/embed', embeddings],
  ['/api/embeddings', embeddings],
  ['/api/create', models],
  ['/api/copy', models],
  ['/api/delete', models],
  ['/api/push', models],
  ['/api/blobs', models],
];

/** Why a path of a known API is no route here; undefined for a path that nobody knows. */
export function whyUnserved(path: string): string | undefined {
  return unserved.find(([known]) => path === known || path.startsWith(`${known}/`))?.[1];
}
