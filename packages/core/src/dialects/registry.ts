import { anthropicXml } from './anthropic-xml/index.ts';
import { apertus } from './apertus/index.ts';
import { apriel } from './apriel/index.ts';
import { clineXml } from './cline-xml/index.ts';
import { cohere } from './cohere/index.ts';
import { commandR } from './command-r/index.ts';
import { deepseekDsml } from './deepseek-dsml/index.ts';
import { deepseekV3 } from './deepseek-v3/index.ts';
import { deepseekV31 } from './deepseek-v3.1/index.ts';
import { ernie45 } from './ernie45/index.ts';
import { fencedJson } from './fenced-json/index.ts';
import { functionaryV31 } from './functionary-v3.1/index.ts';
import { functionaryV32 } from './functionary-v3.2/index.ts';
import { functiongemma } from './functiongemma/index.ts';
import { gemmaFence } from './gemma-fence/index.ts';
import { gemma4 } from './gemma4/index.ts';
import { gigachat3 } from './gigachat3/index.ts';
import { gigachat35 } from './gigachat3.5/index.ts';
import { glm } from './glm/index.ts';
import { granite } from './granite/index.ts';
import { harmony } from './harmony/index.ts';
import { hermes } from './hermes/index.ts';
import { hunyuanA13b } from './hunyuan-a13b/index.ts';
import { hyV3 } from './hy-v3/index.ts';
import { hyperclovax } from './hyperclovax/index.ts';
import { inkling } from './inkling/index.ts';
import { internlm2 } from './internlm2/index.ts';
import { jamba } from './jamba/index.ts';
import { kimiK2 } from './kimi-k2/index.ts';
import { kimiK3 } from './kimi-k3/index.ts';
import { lfm2 } from './lfm2/index.ts';
import { llama3Json } from './llama3-json/index.ts';
import { longcat } from './longcat/index.ts';
import { mcpXml } from './mcp-xml/index.ts';
import { minicpm5 } from './minicpm5/index.ts';
import { minimaxM1 } from './minimax-m1/index.ts';
import { minimaxM2 } from './minimax-m2/index.ts';
import { minimaxM3 } from './minimax-m3/index.ts';
import { mistralArgs } from './mistral-args/index.ts';
import { mistralJson } from './mistral-json/index.ts';
import { museGlimmer } from './muse-glimmer/index.ts';
import { nemotronToolcall } from './nemotron-toolcall/index.ts';
import { olmo3 } from './olmo3/index.ts';
import { phi4Mini } from './phi4-mini/index.ts';
import { plamo3 } from './plamo3/index.ts';
import { pythonic } from './pythonic/index.ts';
import { qwen3Coder } from './qwen3-coder/index.ts';
import { withRenderer } from './render/render-table.ts';
import { seedOss } from './seed-oss/index.ts';
import { solarOpen2 } from './solar-open2/index.ts';
import { step3 } from './step3/index.ts';
import type { TableDialect, TableParser } from './table/table-dialect.ts';
import { toolRequest } from './tool-request/index.ts';
import { xlam } from './xlam/index.ts';

/** Every dialect by its id; one line for each folder, and a test that compares the two. */
const all = {
  'anthropic-xml': anthropicXml,
  apertus,
  apriel,
  'cline-xml': clineXml,
  cohere,
  'command-r': commandR,
  'deepseek-dsml': deepseekDsml,
  'deepseek-v3': deepseekV3,
  'deepseek-v3.1': deepseekV31,
  ernie45,
  'fenced-json': fencedJson,
  'functionary-v3.1': functionaryV31,
  'functionary-v3.2': functionaryV32,
  functiongemma,
  'gemma-fence': gemmaFence,
  gemma4,
  gigachat3,
  'gigachat3.5': gigachat35,
  glm,
  granite,
  harmony,
  hermes,
  'hunyuan-a13b': hunyuanA13b,
  'hy-v3': hyV3,
  hyperclovax,
  inkling,
  internlm2,
  jamba,
  'kimi-k2': kimiK2,
  'kimi-k3': kimiK3,
  lfm2,
  'llama3-json': llama3Json,
  longcat,
  'mcp-xml': mcpXml,
  minicpm5,
  'minimax-m1': minimaxM1,
  'minimax-m2': minimaxM2,
  'minimax-m3': minimaxM3,
  'mistral-args': mistralArgs,
  'mistral-json': mistralJson,
  'muse-glimmer': museGlimmer,
  'nemotron-toolcall': nemotronToolcall,
  olmo3,
  'phi4-mini': phi4Mini,
  plamo3,
  pythonic,
  'qwen3-coder': qwen3Coder,
  'seed-oss': seedOss,
  'solar-open2': solarOpen2,
  step3,
  'tool-request': toolRequest,
  xlam,
} satisfies Readonly<Record<string, TableParser>>;

/** The id of a built-in dialect. */
export type DialectId = keyof typeof all;

/** Every dialect by id. */
export const dialects: ReadonlyMap<string, TableDialect> = new Map(
  Object.entries(all).map(([id, parser]) => [id, withRenderer(parser)]),
);
