import { describedWires, upstreamWires } from '@dragoman/core';
import { checkPlaceholders } from './check-placeholders.ts';
import { fieldOf } from './raw-value.ts';
import type { Finding } from './read-findings.ts';

/**
 * Checks that an upstream of the wire `conversation` is described, others are not, that the text of a message goes
 * anywhere and placeholders stand for something, that only upstreams of the wire `qwen-chat` have its section, and that `parallel` is said only where it means
 * something. Works on the raw value; what the schema complains about already is passed over.
 */
export function checkConversations(upstreams: readonly (readonly [string, unknown])[]): Finding[] {
  return upstreams.flatMap(([name, upstream]): Finding[] => {
    const description = fieldOf(upstream, 'conversation');
    const path = ['upstreams', name, 'conversation'];
    const wire = fieldOf(upstream, 'wire');
    if (wire !== 'qwen-chat' && typeof wire === 'string' && fieldOf(upstream, 'qwenChat') !== undefined) {
      const reason = `only upstreams of the wire "qwen-chat" have this section; this one speaks ${wire}`;
      return [{ path: ['upstreams', name, 'qwenChat'], reason }];
    }
    if (typeof wire === 'string' && fieldOf(upstream, 'parallel') !== undefined && !keepsConversations(wire)) {
      const reason = `only upstreams that keep conversations take turns; those of the wire ${wire} do not`;
      return [{ path: ['upstreams', name, 'parallel'], reason }];
    }
    if (wire !== 'conversation') {
      if (description === undefined || typeof wire !== 'string') return [];
      return [{ path, reason: `only upstreams of the wire "conversation" are described; this one speaks ${wire}` }];
    }
    if (description === undefined) {
      // Workers have commands of their own for it.
      if (fieldOf(fieldOf(upstream, 'workers'), 'speak') === 'commands') return [];
      return [
        { path: path.slice(0, 2), reason: 'the wire "conversation" needs "conversation", which describes the server' },
      ];
    }
    const silent = ['first', 'send'].flatMap((step): Finding[] => {
      const body = fieldOf(fieldOf(description, step), 'body');
      if (body === undefined || JSON.stringify(body).includes('{{text}}')) return [];
      return [{ path: [...path, step, 'body'], reason: 'holds no "{{text}}", so no message would ever be sent' }];
    });
    const [first, send] = ['first', 'send'].map((step) => JSON.stringify(fieldOf(description, step) ?? null));
    if (first !== 'null' && first?.includes('{{system}}') !== send?.includes('{{system}}')) {
      const reason = '"first" and "send" both have a place for "{{system}}", or neither';
      silent.push({ path: [...path, 'first'], reason });
    }
    silent.push(...checkPlaceholders(description, path));
    if (fieldOf(description, 'first') === undefined || fieldOf(description, 'create') === undefined) return silent;
    const reason = 'a conversation is begun by "create" or by its "first" message; leave one of them out';
    return [...silent, { path: [...path, 'first'], reason }];
  });
}

function keepsConversations(wire: string): boolean {
  const isDescribed = describedWires.some((id) => id === wire);
  // A wire that does not exist is the schema's business.
  return isDescribed || !upstreamWires.has(wire) || upstreamWires.get(wire)?.conversation !== undefined;
}
