/** One character at a time: the only thing that the engine of JavaScript is asked, so that no pattern can make it go back. */
type Test = (char: string) => boolean;
type Node =
  | { readonly of: 'char'; readonly test: Test }
  | { readonly of: 'all'; readonly nodes: readonly Node[] }
  | { readonly of: 'any'; readonly nodes: readonly Node[] }
  | { readonly of: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };
type Step =
  | { readonly do: 'char'; readonly test: Test }
  | { readonly do: 'split'; readonly to: readonly number[] }
  | { readonly do: 'end' };

/** States of a pattern at most: a value is read once, whatever the pattern, in as many steps as characters times states. */
const MOST_STEPS = 200;
const MOST_TIMES = 500;
class Unreadable extends Error {}

const one = (source: string): Test => {
  const made = new RegExp(`^${source}$`, 'u');
  return (char) => made.test(char);
};

/** Letters, classes, groups, alternatives and quantifiers; nothing that looks back or ahead. */
function parse(pattern: string): Node {
  const chars = [...pattern];
  let at = 0;
  const any = (): Node => {
    const nodes = [all()];
    while (chars[at] === '|') {
      at += 1;
      nodes.push(all());
    }
    return nodes.length === 1 ? (nodes[0] as Node) : { of: 'any', nodes };
  };
  const all = (): Node => {
    const nodes: Node[] = [];
    while (at < chars.length && chars[at] !== '|' && chars[at] !== ')') nodes.push(repeated(atom()));
    return { of: 'all', nodes };
  };
  const atom = (): Node => {
    const char = chars[at++] ?? '';
    if (char === '(') {
      if (chars[at] === '?') {
        if (chars[at + 1] !== ':') throw new Unreadable();
        at += 2;
      }
      const inside = any();
      if (chars[at++] !== ')') throw new Unreadable();
      return inside;
    }
    if (char === '[') {
      const from = at - 1;
      while (at < chars.length && chars[at] !== ']') at += chars[at] === '\\' ? 2 : 1;
      if (chars[at++] !== ']') throw new Unreadable();
      return { of: 'char', test: one(chars.slice(from, at).join('')) };
    }
    if (char === '\\') {
      const escaped = chars[at++] ?? '';
      // References and boundaries aren't one character.
      if (!/^[dDwWsSnrt\W_]$/.test(escaped)) throw new Unreadable();
      return { of: 'char', test: one(`\\${escaped === '_' ? 'x5f' : escaped}`) };
    }
    if (/[*+?{}\])^$]/.test(char)) throw new Unreadable();
    return { of: 'char', test: char === '.' ? one('.') : (other) => other === char };
  };
  const repeated = (node: Node): Node => {
    const signs: Record<string, readonly [number, number]> = {
      '*': [0, Number.POSITIVE_INFINITY],
      '+': [1, Number.POSITIVE_INFINITY],
      '?': [0, 1],
    };
    const sign = signs[chars[at] ?? ''];
    if (sign) {
      at += 1;
      return { of: 'repeat', node, min: sign[0], max: sign[1] };
    }
    if (chars[at] !== '{') return node;
    const found = /^\{(\d{1,3})(,(\d{1,3})?)?\}/.exec(chars.slice(at, at + 10).join(''));
    if (!found) throw new Unreadable();
    at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === undefined ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (max < min || min > MOST_TIMES) throw new Unreadable();
    return { of: 'repeat', node, min, max };
  };
  // People write the ends, though it always counts from end to end.
  if (chars[0] === '^') chars.shift();
  if (chars.at(-1) === '$' && chars.at(-2) !== '\\') chars.pop();
  const whole = any();
  if (at < chars.length) throw new Unreadable();
  return whole;
}

function stepsOf(node: Node): Step[] {
  const steps: Step[] = [];
  let written = 0;
  const add = (step: Step): number => {
    if (steps.length >= MOST_STEPS) throw new Unreadable();
    return steps.push(step) - 1;
  };
  const split = (): { at: number; to: number[] } => {
    const to: number[] = [];
    return { at: add({ do: 'split', to }), to };
  };
  const write = (node: Node): void => {
    // Nothing, many times over, makes no steps.
    written += 1;
    if (written > 4 * MOST_STEPS) throw new Unreadable();
    if (node.of === 'char') add({ do: 'char', test: node.test });
    else if (node.of === 'all') node.nodes.forEach(write);
    else if (node.of === 'any') {
      const begin = split();
      const ends = node.nodes.map((each) => {
        begin.to.push(steps.length);
        write(each);
        return split();
      });
      for (const { to } of ends) to.push(steps.length);
    } else {
      for (let times = 0; times < node.min; times += 1) write(node.node);
      if (node.max === Number.POSITIVE_INFINITY) {
        const begin = split();
        begin.to.push(steps.length);
        write(node.node);
        split().to.push(begin.at);
        begin.to.push(steps.length);
      } else {
        const ways = Array.from({ length: node.max - node.min }, () => {
          const way = split();
          way.to.push(steps.length);
          write(node.node);
          return way;
        });
        for (const { to } of ways) to.push(steps.length);
      }
    }
  };
  write(node);
  add({ do: 'end' });
  return steps;
}

const known = new Map<string, readonly Step[] | undefined>();
function stepsFor(pattern: string): readonly Step[] | undefined {
  if (known.has(pattern)) return known.get(pattern);
  let made: readonly Step[] | undefined;
  try {
    made = stepsOf(parse(pattern));
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof SyntaxError)) throw error;
  }
  if (known.size > 500) known.clear();
  known.set(pattern, made);
  return made;
}

/** In how many steps at most a pattern reads so many characters; none where it is no pattern. */
export const costOf = (pattern: string, characters: number): number => (stepsFor(pattern)?.length ?? 0) * characters;

/** Whether it is a pattern that values can be held against in bounded time. */
export const isPattern = (pattern: string): boolean => stepsFor(pattern) !== undefined;

/** Whether all of a text is as the pattern says. All ways are walked at once, so that no pattern takes longer than its length times the text's. */
export function matches(pattern: string, text: string): boolean {
  const steps = stepsFor(pattern);
  if (!steps) return false;
  const reach = (from: readonly number[]): Set<number> => {
    const reached = new Set<number>();
    const open = [...from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      const step = steps[at];
      if (step?.do === 'split') open.push(...step.to);
    }
    return reached;
  };
  let now = reach([0]);
  for (const char of text) {
    const next: number[] = [];
    for (const at of now) {
      const step = steps[at];
      if (step?.do === 'char' && step.test(char)) next.push(at + 1);
    }
    if (next.length === 0) return false;
    now = reach(next);
  }
  return now.has(steps.length - 1);
}
