import { IntlMessageFormat } from 'intl-messageformat';
import { english } from '../../platform/texts/texts.ts';

interface Node {
  readonly value?: string;
  readonly options?: Readonly<Record<string, { readonly value: readonly Node[] }>>;
  readonly children?: readonly Node[];
  readonly type: number;
}
const isArgument = (node: Node) => node.type >= 1 && node.type <= 6;

/** The values that a text names, in order. Fails where it isn't a message. */
export function argumentsOf(text: string): string[] {
  const found = new Set<string>();
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (isArgument(node) && node.value) found.add(node.value);
      for (const option of Object.values(node.options ?? {})) visit(option.value);
      visit(node.children ?? []);
    }
  };
  visit(new IntlMessageFormat(text, 'en').getAst() as unknown as readonly Node[]);
  return [...found];
}

/** The fault of a translation: no message, or a value that nobody will give it. Leaving a value out is the translator's choice. */
export function faultOfText(key: string, text: string): 'LABEL_UNKNOWN' | 'LABEL_BROKEN' | 'LABEL_ARGUMENT' | undefined {
  const original = english.get(key);
  if (original === undefined) return 'LABEL_UNKNOWN';
  try {
    const known = argumentsOf(original);
    return argumentsOf(text).every((one) => known.includes(one)) ? undefined : 'LABEL_ARGUMENT';
  } catch {
    return 'LABEL_BROKEN';
  }
}
