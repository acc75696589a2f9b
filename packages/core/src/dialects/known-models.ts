// Table: which dialect a model was trained to write, by a part of its name.

/** Models whose names show that they write a dialect. */
export interface KnownModel {
  /**
   * Lower-case part of the model's name. A hyphen in it may be missing in the name, or be another sign; after a digit at its
   * end neither another digit follows, nor what says how many parameters the model has.
   */
  readonly part: string;
  /** The id of a built-in dialect. */
  readonly dialect: string;
  /** Lower-case parts of names that hold `part`, too, but belong to models that write another form or call natively. */
  readonly except?: readonly string[];
  /**
   * Servers read this form themselves and answer with structured calls. The name decides only where the upstream takes no
   * tools: on a wire that carries only text, or where the upstream says so of the model.
   */
  readonly readByServers?: true;
  /** A call ends the thinking before it, as in the model's own template: its models leave out the closer. */
  readonly callEndsThinking?: true;
}

/** In the order in which they are tried. `knownForms` says where each form is published. */
export const knownModels: readonly KnownModel[] = [
  { part: 'kimi-k2', dialect: 'kimi-k2', callEndsThinking: true },
  { part: 'gpt-oss', dialect: 'harmony', readByServers: true },
  { part: 'glm-4.5', dialect: 'glm', except: ['glm-4.5v'], readByServers: true },
  { part: 'glm-4.6', dialect: 'glm', except: ['glm-4.6v'], readByServers: true },
  { part: 'glm-4.7', dialect: 'glm', readByServers: true },
  { part: 'glm-5', dialect: 'glm', readByServers: true },
  { part: 'deepseek-v3.2', dialect: 'deepseek-dsml', readByServers: true },
  { part: 'deepseek-v4', dialect: 'deepseek-dsml', readByServers: true, callEndsThinking: true },
  { part: 'deepseek-v3', dialect: 'deepseek-v3', except: ['deepseek-v3.1', 'deepseek-v3.2'], readByServers: true },
  { part: 'deepseek-chat-v3.1', dialect: 'deepseek-v3.1', readByServers: true },
  { part: 'deepseek-chat-v3', dialect: 'deepseek-v3', except: ['deepseek-chat-v3.1'], readByServers: true },
  { part: 'deepseek-r1-0528', dialect: 'deepseek-v3', except: ['deepseek-r1-0528-qwen'], readByServers: true },
  // Tokenizer v11 and later.
  { part: 'devstral', dialect: 'mistral-args', readByServers: true },
  { part: 'magistral', dialect: 'mistral-args', readByServers: true },
  { part: 'ministral-3', dialect: 'mistral-args', readByServers: true },
  { part: 'mistral-small-3.2', dialect: 'mistral-args', readByServers: true },
  // Tokenizers before it.
  { part: 'mistral-7b-instruct-v0.3', dialect: 'mistral-json', readByServers: true },
  { part: 'mixtral-8x22b', dialect: 'mistral-json', readByServers: true },
  { part: 'mistral-nemo', dialect: 'mistral-json', readByServers: true },
  { part: 'mistral-large-2407', dialect: 'mistral-json', readByServers: true },
  { part: 'gemma-4', dialect: 'gemma4', readByServers: true },
  { part: 'qwen-3-coder', dialect: 'qwen3-coder', readByServers: true },
  { part: 'qwen-3.', dialect: 'qwen3-coder', readByServers: true, callEndsThinking: true },
  { part: 'nemotron-3', dialect: 'qwen3-coder', readByServers: true },
  { part: 'step-3.5', dialect: 'qwen3-coder', readByServers: true },
  { part: 'mimo-v2', dialect: 'qwen3-coder', readByServers: true },
  { part: 'granite-3', dialect: 'granite', readByServers: true },
  { part: 'granite-20b-functioncalling', dialect: 'granite', readByServers: true },
  {
    part: 'phi-4-mini',
    dialect: 'phi4-mini',
    except: ['phi-4-mini-reasoning', 'phi-4-mini-flash-reasoning'],
    readByServers: true,
  },
  { part: 'firefunction', dialect: 'phi4-mini', readByServers: true },
  { part: 'xlam', dialect: 'xlam', readByServers: true },
  { part: 'command-a', dialect: 'cohere', readByServers: true },
  { part: 'command-r7b', dialect: 'cohere', readByServers: true },
  { part: 'command-r', dialect: 'command-r', except: ['command-r7b'], readByServers: true },
  // The base model calls nothing, and Jamba Reasoning 3B writes hermes.
  { part: 'jamba', dialect: 'jamba', except: ['jamba-v0.1', 'jamba-reasoning'], readByServers: true },
  { part: 'hunyuan-a13b', dialect: 'hunyuan-a13b', readByServers: true },
  { part: 'apriel-1.5', dialect: 'apriel', readByServers: true },
  { part: 'apriel-1.6', dialect: 'apriel', readByServers: true },
  { part: 'minimax-m1', dialect: 'minimax-m1', readByServers: true },
  { part: 'nemotron-nano-9b-v2', dialect: 'nemotron-toolcall', readByServers: true },
  {
    part: 'nemotron-nano-12b-v2',
    dialect: 'nemotron-toolcall',
    except: ['nemotron-nano-12b-v2-vl'],
    readByServers: true,
  },
  { part: 'nemotron-super-49b-v1.5', dialect: 'nemotron-toolcall', readByServers: true },
  { part: 'apertus', dialect: 'apertus', readByServers: true },
  { part: 'deepseek-v3.1', dialect: 'deepseek-v3.1', readByServers: true },
  { part: 'gigachat3.5', dialect: 'gigachat3.5', readByServers: true },
  { part: 'gigachat3', dialect: 'gigachat3', except: ['gigachat3.5'], readByServers: true },
  { part: 'inkling', dialect: 'inkling', readByServers: true },
  // The models of one vendor and name write two forms.
  { part: 'hyperclovax-seed-think-14b', dialect: 'hyperclovax', readByServers: true },
  { part: 'hyperclovax-seed-think-32b', dialect: 'glm', readByServers: true },
  // The models called NICT are base models, which call nothing.
  { part: 'plamo-3', dialect: 'plamo3', except: ['plamo-3-nict'], readByServers: true },
  { part: 'kimi-k3', dialect: 'kimi-k3', readByServers: true },
  // Its own agent reads the form, no server does.
  { part: 'mirothinker', dialect: 'mcp-xml' },
  { part: 'seed-oss', dialect: 'seed-oss', readByServers: true },
  { part: 'minimax-m2', dialect: 'minimax-m2', readByServers: true },
  { part: 'minimax-m3', dialect: 'minimax-m3', readByServers: true },
  { part: 'muse-glimmer', dialect: 'muse-glimmer', readByServers: true },
  { part: 'longcat-flash', dialect: 'longcat', readByServers: true },
  { part: 'hy3', dialect: 'hy-v3', readByServers: true },
  { part: 'hy4', dialect: 'hy-v3', readByServers: true },
  { part: 'minicpm5', dialect: 'minicpm5', readByServers: true },
  // Step 3.5 writes the form of Qwen3-Coder.
  { part: 'step-3', dialect: 'step3', except: ['step-3.5'], readByServers: true },
  { part: 'solar-open2', dialect: 'solar-open2', readByServers: true },
  { part: 'functionary-small-v3.1', dialect: 'functionary-v3.1', readByServers: true },
  { part: 'functionary-medium-v3.1', dialect: 'functionary-v3.1', readByServers: true },
  { part: 'functionary-small-v3.2', dialect: 'functionary-v3.2', readByServers: true },
  { part: 'lfm2', dialect: 'lfm2', except: ['lfm2-colbert', 'lfm2-audio'], readByServers: true },
  { part: 'olmo-3', dialect: 'olmo3', readByServers: true },
  { part: 'internlm2', dialect: 'internlm2', readByServers: true },
  { part: 'internlm3', dialect: 'internlm2', readByServers: true },
  // Only the models that think were trained on tools.
  { part: 'ernie-4.5-21b-a3b-thinking', dialect: 'ernie45', readByServers: true },
  { part: 'ernie-4.5-vl-28b-a3b-thinking', dialect: 'ernie45', readByServers: true },
  { part: 'functiongemma', dialect: 'functiongemma', readByServers: true },
  // Trained on no form; this is the one that Google's prompts for Gemma show.
  { part: 'gemma-3', dialect: 'gemma-fence', readByServers: true },
  { part: 'hermes-2', dialect: 'hermes' },
  { part: 'hermes-3', dialect: 'hermes' },
  { part: 'hermes-4', dialect: 'hermes' },
  { part: 'qwen-2.5', dialect: 'hermes', except: ['qwen-2.5-vl'] },
  // Qwen3-Coder and everything from 3.5 on write XML inside <tool_call>; the hosted Max models call natively.
  {
    part: 'qwen-3',
    dialect: 'hermes',
    except: ['qwen-3-coder', 'qwen-3.', 'qwen-3-max', 'deepseek-r1-0528-qwen-3'],
  },
  { part: 'qwq', dialect: 'hermes' },
  { part: 'granite-4', dialect: 'hermes' },
  // The small ones; those of 11B and 90B see images and write no calls.
  {
    part: 'llama-3.2',
    dialect: 'pythonic',
    except: ['llama-3.2-11b', 'llama-3.2-90b', 'llama-3.2-vision'],
    readByServers: true,
  },
  { part: 'llama-4', dialect: 'pythonic', readByServers: true },
  {
    part: 'llama-3.1',
    dialect: 'llama3-json',
    except: ['llama-3.1-nemotron'],
    readByServers: true,
  },
  { part: 'llama-3.3', dialect: 'llama3-json', except: ['llama-3.3-nemotron'], readByServers: true },
];

/** What a model is taught whose server takes no tools and whose name tells nothing: the form that most open models know. */
export const taughtDialect = 'hermes';

/** What is known of a model of this name. */
function knownModel(name: string): KnownModel | undefined {
  const plain = plainName(name);
  const holds = (part: string) => holdsPart(plain, part);
  return knownModels.find(({ part, except = [] }) => holds(part) && !except.some(holds));
}

/**
 * The dialect that a model of this name is known to write. `takesTools`: its upstream may take tools, so a model whose
 * form servers read themselves writes none that would reach us.
 */
export function dialectOfModel(name: string, { takesTools }: { readonly takesTools: boolean }): string | undefined {
  const known = knownModel(name);
  return known === undefined || (takesTools && known.readByServers === true) ? undefined : known.dialect;
}

/** Whether models of this name end their thinking with a call and not with its closer. */
export function callEndsThinking(name: string): boolean {
  return knownModel(name)?.callEndsThinking === true;
}

/** After so many characters nothing is said of a model any more. */
const longestName = 512;

/**
 * A name as the table writes it, without regard to letter case and to what is common among servers: `_`, `:` and others for
 * `-`, `3p1` and `3_1` for `3.1`, and a `v` before a number, or none.
 */
export function plainName(name: string): string {
  const lower = name.slice(0, longestName).toLowerCase();
  let plain = '';
  for (let at = 0; at < lower.length; at += 1) {
    const character = lower.charAt(at);
    const beforeDigit = isDigit(lower.charAt(at + 1));
    if (beforeDigit && isDigit(lower.charAt(at - 1)) && '._p'.includes(character)) plain += '.';
    else if (separators.includes(character)) plain += '-';
    else if (!(beforeDigit && character === 'v' && plain.endsWith('-'))) plain += character;
  }
  return plain;
}

const separators = '-_: ';

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/**
 * Is the part in this plain name? A hyphen in it may be missing there, and a point be a hyphen. Where it ends with a digit, neither another
 * digit follows nor a `b`, which would make of it how many billions of parameters the model has.
 */
export function holdsPart(plain: string, part: string): boolean {
  const wanted = plainPart(part);
  for (let at = 0; at < plain.length; at += 1) {
    const end = afterPart(plain, at, wanted);
    if (end !== undefined && !(isDigit(wanted.slice(-1)) && goesOn(plain.charAt(end)))) return true;
  }
  return false;
}

/** The parts of the table, which are as many as its lines. */
const plainParts = new Map<string, string>();

function plainPart(part: string): string {
  const plain = plainParts.get(part) ?? plainName(part);
  plainParts.set(part, plain);
  return plain;
}

function afterPart(plain: string, start: number, part: string): number | undefined {
  let at = start;
  let hyphened = false;
  for (let index = 0; index < part.length; index += 1) {
    const character = part.charAt(index);
    const next = plain.charAt(at);
    const isPoint = character === '.' && next === '-' && isDigit(part.charAt(index + 1));
    if (next === character || isPoint) at += 1;
    else if (character !== '-') return undefined;
    hyphened ||= isPoint;
  }
  // `3-1` is 3.1 where nothing goes on that would make another number of it.
  return hyphened && !['', '-'].includes(plain.charAt(at)) ? undefined : at;
}

function goesOn(next: string): boolean {
  return isDigit(next) || next === 'b';
}
