import { fieldOf } from './raw-value.ts';
import type { Finding } from './read-issues.ts';

/**
 * Checks that an upstream of the wire `conversation` is described, others are not, and that the text of a message goes
 * anywhere. Works on the raw value; what the schema complains about already is passed over.
 */
export function checkConversations(upstreams: readonly (readonly [string, unknown])[]): Finding[] {
  return upstreams.flatMap(([name, upstream]): Finding[] => {
    const description = fieldOf(upstream, 'conversation');
    const path = ['upstreams', name, 'conversation'];
    const wire = fieldOf(upstream, 'wire');
    if (wire !== 'conversation') {
      if (description === undefined || typeof wire !== 'string') return [];
      return [{ path, reason: `only upstreams of the wire "conversation" are described; this one speaks ${wire}` }];
    }
    if (description === undefined) {
      return [
        { path: path.slice(0, 2), reason: 'the wire "conversation" needs "conversation", which describes the server' },
      ];
    }
    const body = fieldOf(fieldOf(description, 'send'), 'body');
    if (body === undefined || JSON.stringify(body).includes('{{text}}')) return [];
    return [{ path: [...path, 'send', 'body'], reason: 'holds no "{{text}}", so no message would ever be sent' }];
  });
}
