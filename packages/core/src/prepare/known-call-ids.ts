import type { CallIdFormName } from '../wires/shared-quirks.ts';

/**
 * Models whose server or chat template insists on a form of call ids, by a part of their name. Nine letters and digits
 * are what Mistral's API checks ("must be a-z, A-Z, 0-9, with a length of 9"), and what the templates of its older open
 * models raise an error for in any server, also for ids that the server itself made. Kimi K2 is trained on histories with
 * `functions.NAME:N`, and Moonshot asks for ids of that form (K2-Vendor-Verifier).
 */
const knownModels: readonly { readonly part: string; readonly form: CallIdFormName }[] = [
  { part: 'mistral', form: 'nine' },
  { part: 'mixtral', form: 'nine' },
  { part: 'ministral', form: 'nine' },
  { part: 'magistral', form: 'nine' },
  { part: 'codestral', form: 'nine' },
  { part: 'devstral', form: 'nine' },
  { part: 'pixtral', form: 'nine' },
  { part: 'kimi-k2', form: 'kimi' },
];

/** The form of ids that a model of this name needs, if that is known. */
export function formOfModel(model: string): CallIdFormName | undefined {
  const name = model.toLowerCase();
  return knownModels.find(({ part }) => name.includes(part))?.form;
}
