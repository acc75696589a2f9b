// Lets the engine render what Jinja of Python renders, as transformers uses it. It changes the engine for the whole process.
import { Environment, Interpreter } from '@huggingface/jinja';

const strict = Interpreter.prototype.evaluate;

Interpreter.prototype.evaluate = function evaluate(node, environment) {
  if (node?.type === 'Evaluated') return node.value;
  const own = node === undefined ? undefined : rules[node.type];
  const evaluated = (part) => ({ type: 'Evaluated', value: this.evaluate(part, environment) });
  if (own === undefined) return strict.call(this, node, environment);
  const taken = own(node, evaluated);
  const value = taken.type === 'Evaluated' ? taken.value : strict.call(this, taken, environment);
  return taken.numbered === true ? withNumbers(value) : value;
};

/** Each evaluates a part of a node once and puts it into a copy, in a form that the engine takes. */
const rules = {
  /** Strings are looped over by characters, and what is undefined is empty. */
  For: (node, evaluated) => {
    const filtered = node.iterable.type === 'SelectExpression';
    const iterable = asIterable(evaluated(filtered ? node.iterable.lhs : node.iterable));
    return copy(node, { iterable: filtered ? copy(node.iterable, { lhs: iterable }) : iterable });
  },
  /** What is undefined is empty to filters that measure or write it. */
  FilterExpression: (node, evaluated) => {
    const operand = evaluated(node.operand);
    const filter = node.filter.callee?.value ?? node.filter.value;
    if (filter === 'dictsort' && withNumberKeys.has(operand.value)) {
      const sorted = operand.value.items();
      sorted.value.sort((one, other) => one.value[0].value - other.value[0].value);
      return { type: 'Evaluated', value: sorted };
    }
    const empty = isUndefined(operand) ? emptyOf.get(filter) : undefined;
    return copy(node, { operand: empty === undefined ? operand : runtime(empty) });
  },
  /** Keys may be numbers. */
  ObjectLiteral: (node, evaluated) => {
    const entries = [...node.value].map(([key, value]) => [evaluated(key), value]);
    const numbered = entries.length > 0 && entries.every(([key]) => key.value.type === 'IntegerValue');
    const value = new Map(entries.map(([key, each]) => [asKey(key), each]));
    return copy(node, { value, numbered });
  },
  MemberExpression: (node, evaluated) => {
    if (!node.computed || node.property.type === 'SliceExpression') return node;
    const object = evaluated(node.object);
    const property = evaluated(node.property);
    return copy(node, { object, property: object.value.type === 'ObjectValue' ? asKey(property) : property });
  },
  /** Strings have `format`. */
  CallExpression: (node, evaluated) => {
    const { type, object, property, computed } = node.callee;
    if (type !== 'MemberExpression' || computed || property.value !== 'format') {
      return copy(node, { callee: defined(node.callee, evaluated(node.callee)) });
    }
    const template = evaluated(object);
    if (template.value.type !== 'StringValue')
      return copy(node, { callee: defined(node.callee, evaluated(node.callee)) });
    return runtime(formatted(template.value.value, node.args.map(evaluated)));
  },
  BinaryExpression: (node, evaluated) => {
    if (!arithmetic.has(node.operator.value)) return node;
    const [left, right] = [evaluated(node.left), evaluated(node.right)];
    return copy(node, { left: defined(node.left, left), right: defined(node.right, right) });
  },
};

const arithmetic = new Set(['+', '-', '*', '/', '//', '%', '**']);

const emptyOf = new Map([
  ...['length', 'count', 'list', 'join', 'map', 'select', 'reject', 'selectattr', 'rejectattr', 'sort', 'unique'].map(
    (name) => [name, []],
  ),
  ...['string', 'trim', 'lower', 'upper', 'capitalize', 'title', 'replace', 'indent', 'safe'].map((name) => [name, '']),
]);

const withNumberKeys = new WeakSet();

/** The engine holds keys as strings; whoever walks over them gets numbers again. */
function withNumbers(object) {
  const number = (key) => runtime(Number(key)).value;
  const list = (values) => Object.assign(runtime([]).value, { value: values });
  object.keys = () => list([...object.value.keys()].map(number));
  object.items = () => list([...object.value].map(([key, value]) => list([number(key), value])));
  withNumberKeys.add(object);
  return object;
}

/** Fields in order, `{}`, as chat templates have them. */
function formatted(template, fields) {
  const parts = template.split('{}');
  if (parts.some((part) => part.includes('{') || part.includes('}')) || fields.length < parts.length - 1) {
    throw new Error(`format of ${JSON.stringify(template)} is not known`);
  }
  const text = (field) => (field === undefined || isUndefined(field) ? '' : field.value.toString());
  return parts.map((part, at) => part + (at < parts.length - 1 ? text(fields[at]) : '')).join('');
}

function asIterable(part) {
  if (isUndefined(part)) return runtime([]);
  return part.value.type === 'StringValue' ? runtime([...part.value.value]) : part;
}

function asKey(part) {
  return part.value.type === 'IntegerValue' ? runtime(String(part.value.value)) : part;
}

/** Throws an error that says what the template wanted, where Python raises as well. */
function defined(node, part) {
  if (isUndefined(part)) throw new Error(`it needs ${nameOf(node)}, which is undefined in transformers, too`);
  return part;
}

function isUndefined({ value }) {
  return value.type === 'UndefinedValue';
}

function nameOf({ type, value, object, property }) {
  if (type === 'Identifier') return value;
  if (type !== 'MemberExpression') return 'a value';
  return `${nameOf(object)}.${typeof property.value === 'string' ? property.value : '…'}`;
}

/** A value of ours as the engine has it. */
function runtime(value) {
  return { type: 'Evaluated', value: new Environment().set('value', value) };
}

function copy(node, changes) {
  return Object.assign(Object.create(Object.getPrototypeOf(node)), node, changes);
}
