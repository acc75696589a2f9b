import { expect, it } from 'vitest';
import { checkTools } from './check-tools.ts';

const refused = (text: string) => {
  try {
    checkTools(JSON.parse(text));
  } catch (thrown) {
    return String(thrown);
  }
  return undefined;
};

it.each([
  ['7', 'tools is 7: give a list of { name, description, inputSchema }, or [] for none.'],
  ['[{"name":"a"},null]', 'tools[1].name is missing: give { name,'],
  [
    '[{"type":"function","function":{"name":"a"}}]',
    'tools[0].name is missing: give { name, description, inputSchema }, not the form of an API.',
  ],
  ['[{"description":"a"}]', 'tools[0].name is missing'],
  ['[{"name":""}]', 'tools[0].name is ""'],
  ['[{"name":"a","description":7}]', 'tools[0].description is 7'],
  ['[{"name":"a","inputSchema":"{}"}]', 'tools[0].inputSchema is "{}"'],
  ['[{"name":"a","inputSchema":[]}]', 'tools[0].inputSchema is a list'],
  ['[{"name":"a","input_schema":{}}]', 'tools[0].inputSchema is missing'],
  ['[{"name":"a","parameters":{}}]', 'tools[0].inputSchema is missing'],
])('tools of another shape are refused: %s', (tools, reason) => {
  expect(refused(tools)).toContain(reason);
});

it('tools may lack what they can do without', () => {
  expect(refused('[]')).toBeUndefined();
  expect(
    refused('[{"name":"a"},{"name":"b","inputSchema":true},{"name":"c","inputSchema":{},"title":"C"}]'),
  ).toBeUndefined();
});
