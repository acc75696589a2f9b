import type { ToolsTable } from '../table.ts';

/** A tool as a type whose parameter is the JSON Schema of its arguments. */
export const typeDeclaration = '// {description}\ntype {name} = (_: {parameters}) => any;';

/** A namespace with a type for each tool, as the templates of GigaChat write it. */
export const functionNamespace: ToolsTable = {
  opener: 'namespace functions {\n',
  between: '\n\n',
  closer: '\n} // namespace functions',
  tool: typeDeclaration,
};
