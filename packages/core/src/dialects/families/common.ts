import { spellings, withRepair } from '../parser/markers/repaired-literals.ts';
import type { DialectTable, Literal, ResultTable, TagsTable, ToolsTable } from '../table.ts';

/** Each result under the name of its tool, plain: where a model's own frame is a turn, which is not ours to open. */
export const namedResult: ResultTable = {
  opener: 'Result of {name}:\n',
  closer: '',
  between: '\n\n',
  read: [{ text: 'Result of {name}:\n' }],
};

/** A tool as a type whose parameter is the JSON Schema of its arguments. */
export const typeDeclaration = '// {description}\ntype {name} = (_: {parameters}) => any;';

/** A namespace with a type for each tool, as the templates of GigaChat write it. */
export const functionNamespace: ToolsTable = {
  opener: 'namespace functions {\n',
  between: '\n\n',
  closer: '\n} // namespace functions',
  tool: typeDeclaration,
};

/** What of such a table is the same for every word. */
type TokenTags = Required<Pick<DialectTable, 'call' | 'also' | 'section' | 'lesson' | 'markers'>>;

/**
 * Tags with a token before their names, `<｜word｜invoke name="…">`; an attribute says of each value whether it is text. The
 * token arrives with bars doubled, replaced or in ASCII, some models put a space before the name, and some servers strip
 * all of it. `sections`: the tag around calls as it is written, and what else models write there.
 */
export function tokenTags(word: string, sections: readonly [string, ...string[]]): TokenTags {
  const tokens = ['｜_｜', '｜｜_｜｜', '‖_‖', '|_|', '||_||'].map((token) => token.replace('_', word));
  const own = [`<｜${word}｜`, `</｜${word}｜`];
  const isWhole = (literal: string) => own.some((front) => literal.startsWith(front));
  const tag = (before: '<' | '</', names: readonly string[], end: string) =>
    withRepair(spellings([before], tokens, ['', ' '], names, [end]), 'characters', isWhole);
  const stripped = (...texts: readonly string[]): readonly Literal[] =>
    texts.map((text) => ({ text, repair: 'tokens' }));
  const typed = { attribute: 'string', text: 'true', json: 'false' };
  const call: TagsTable = {
    form: 'tags',
    opener: tag('<', ['invoke'], ' name="'),
    end: '">\n',
    closer: tag('</', ['invoke'], '>'),
    parameter: {
      opener: tag('<', ['parameter'], ' name="'),
      end: '">',
      closer: afterEach(tag('</', ['parameter'], '>'), '\n'),
      typed,
    },
    jsonParameters: ['arguments', 'input'],
  };
  return {
    call,
    also: [
      {
        form: 'tags',
        opener: stripped('<invoke name="'),
        end: '">',
        closer: stripped('</invoke>'),
        parameter: { opener: stripped('<parameter name="'), end: '">', closer: stripped('</parameter>'), typed },
      },
    ],
    section: {
      opener: [...afterEach(tag('<', sections, '>'), '\n'), ...stripped(...spellings(['<'], sections, ['>']))],
      closer: [...inFrontOfEach('\n', tag('</', sections, '>')), ...stripped(...spellings(['</'], sections, ['>']))],
    },
    markers: [
      ...spellings(['<'], tokens, ['', ' '], ['parameter']),
      ...spellings(['</'], tokens, ['', ' '], ['parameter>']),
    ],
    lesson: {
      form: `To call tools, write a block of this form:

<｜${word}｜${sections[0]}>
<｜${word}｜invoke name="TOOL_NAME">
<｜${word}｜parameter name="PARAMETER" string="true|false">value</｜${word}｜parameter>
</｜${word}｜invoke>
</｜${word}｜${sections[0]}>`,
      rules: [
        'A string stands as it is, with string="true"; any other value stands as JSON, with string="false".',
        'All calls of a reply are in one block, each in its own invoke.',
      ],
    },
  };
}

/** The first with what is written behind it. */
function afterEach([first = '', ...others]: readonly Literal[], space: string): readonly Literal[] {
  return [typeof first === 'string' ? first + space : first, ...others];
}

/** The first with what is written before it. */
function inFrontOfEach(space: string, [first = '', ...others]: readonly Literal[]): readonly Literal[] {
  return [typeof first === 'string' ? space + first : first, ...others];
}
