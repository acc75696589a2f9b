import type { NamedSections } from '../parser/grammar.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import type { TableReader } from '../table/parts.ts';

/** The header of a message to any tool, before a call of the same tool. */
const toolHeader: NamedSections = {
  openers: ['<|start|>assistant to=', '<|start|>assistantto='],
  first: [' to=', 'to='],
  end: '<|message|>',
  except: ['self'],
  call: ['<atem:invoke name="', '"'],
};

/** Messages to a recipient: what is in one to the user calls nothing, and one to a tool may name one that is not declared. */
export const recipients: TableReader = {
  grammar: (form) => ({
    ...form,
    ...(form.sections && { sections: { ...form.sections, named: toolHeader } }),
    toUser: spellings(['<|start|>assistant ', '<|start|>assistant', ''], ['to=user<|message|>']),
  }),
};
