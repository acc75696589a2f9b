/** Every path that the gateway answers, in one place: the route table and `auth.publicRoutes` both use it. */
export const paths = [
  '/v1/chat/completions',
  '/chat/completions',
  '/v1/models',
  '/models',
  '/v1/models/:id',
  '/models/:id',
  '/health',
  '/api/version',
] as const;

export type Path = (typeof paths)[number];
