import type { StageFactory } from '../../stage.ts';
import type { ParseContext, Span } from '../dialect.ts';
import { createFrame } from '../kit/frame.ts';
import { type Marker, thinkMarkers } from '../kit/grammar.ts';
import { MarkerTrie } from '../kit/marker-trie.ts';
import { namedTagTool, openEmptyTag, openNamedTag } from '../kit/named-tag-call.ts';
import { tagOf } from './tag-names.ts';

/** Kernel X3: the tags are the names of the declared tools and of their parameters; nothing else is markup. */
export function createParser(context: ParseContext): StageFactory<string, Span> {
  const markers = new MarkerTrie<Marker>();
  for (const definition of context.tools) {
    const tool = namedTagTool(definition, tagOf);
    markers.add(`<${tool.tag}>`, { kind: 'opener', open: openNamedTag(tool) });
    markers.add(`<${tool.tag}/>`, { kind: 'opener', open: openEmptyTag(tool) });
    markers.add(`<${tool.tag} />`, { kind: 'opener', open: openEmptyTag(tool) });
  }
  for (const [marker, meaning] of thinkMarkers) markers.add(marker, meaning);
  return createFrame({ markers, names: 'exact' }, context);
}
