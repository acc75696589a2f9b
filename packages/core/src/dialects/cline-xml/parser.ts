import type { StageFactory } from '../../stage.ts';
import type { ParseContext, Span } from '../dialect.ts';
import { createFrame } from '../kit/frame.ts';
import { type Marker, thinkMarkers } from '../kit/grammar.ts';
import { MarkerTrie } from '../kit/marker-trie.ts';
import { openEmptyTag, openNamedTag } from '../kit/named-tag-call.ts';
import { NamedTagTools } from '../kit/named-tag-tools.ts';
import { tagOf } from './tag-names.ts';

/** Kernel X3: the tags are the names of the declared tools and of their parameters; nothing else is markup. */
export function createParser(context: ParseContext): StageFactory<string, Span> {
  const options = { tagOf, fold: (context.policy?.names ?? 'exact') !== 'exact' };
  const tools = new NamedTagTools(context.tools, options);
  const markers = new MarkerTrie<Marker>([], options);
  for (const tool of tools.all) {
    const empty: Marker = { kind: 'opener', open: openEmptyTag(tool) };
    markers.add(`<${tool.tag}>`, { kind: 'opener', open: openNamedTag(tools, tool) });
    markers.add(`<${tool.tag}/>`, empty);
    markers.add(`<${tool.tag} />`, empty);
    markers.add(tool.closer, { kind: 'closer', of: 'call' });
  }
  markers.add('<tool_result>', { kind: 'result' });
  for (const [marker, meaning] of thinkMarkers) markers.add(marker, meaning);
  return createFrame({ markers, names: 'exact' }, context);
}
