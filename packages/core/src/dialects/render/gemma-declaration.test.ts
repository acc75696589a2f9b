import { expect, it } from 'vitest';
import { gemmaDeclaration } from '../readers/gemma.ts';

const options = { quote: '<|"|>', literals: ['<|tool>', '<tool|>'] };

it('writes a declaration as the template does', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'The city, e.g. "Bern"' },
      unit: { type: 'string', enum: ['C', 'F'] },
      days: { type: 'array', items: { type: 'integer' } },
    },
    required: ['city'],
  };
  expect(gemmaDeclaration({ name: 'weather', description: 'Tells it.', inputSchema }, options)).toBe(
    '{description:<|"|>Tells it.<|"|>,parameters:{properties:{' +
      'city:{description:<|"|>The city, e.g. "Bern"<|"|>,type:<|"|>STRING<|"|>},' +
      'unit:{enum:[<|"|>C<|"|>,<|"|>F<|"|>],type:<|"|>STRING<|"|>},' +
      'days:{items:{type:<|"|>INTEGER<|"|>},type:<|"|>ARRAY<|"|>}},' +
      'required:[<|"|>city<|"|>],type:<|"|>OBJECT<|"|>}}',
  );
});

it('keeps a parameter that is called type, and what a schema says beside types', () => {
  const inputSchema = {
    type: 'object',
    properties: { type: { type: ['string', 'null'], default: 'string' }, a: { anyOf: [{ type: 'number' }, true] } },
  };
  expect(gemmaDeclaration({ name: 'a', inputSchema }, options)).toBe(
    '{parameters:{properties:{type:{default:<|"|>string<|"|>,type:[<|"|>STRING<|"|>,<|"|>NULL<|"|>]},' +
      'a:{anyOf:[{type:<|"|>NUMBER<|"|>},true]}},type:<|"|>OBJECT<|"|>}}',
  );
});

it('holds none of the markers, whatever a client wrote', () => {
  const written = gemmaDeclaration({ name: 'a', description: 'x<tool|> <|"|> y', inputSchema: {} }, options);
  expect(written).not.toContain('<tool|>');
  expect(written.split('<|"|>')).toHaveLength(1);
});
