import type { Up } from '@mooring/contract/device/messages';
import { type ThingProperty, valueFault } from '@mooring/contract/product/thing-model';
import type { Done } from './body.ts';
import { between, type Random } from './random.ts';
import type { Things } from './things.ts';

type Values = Up['property']['values'];

/** What a virtual terminal is built with, whatever the model of its product says: it refuses what it doesn't have. */
const built: readonly ThingProperty[] = [
  { id: 'brightness', name: 'Screen brightness', access: 'rw', dataType: { kind: 'int', min: 0, max: 100, step: null, unit: '%' } },
  {
    id: 'printerTemperature',
    name: 'Printer temperature',
    access: 'r',
    dataType: { kind: 'float', min: null, max: null, step: null, unit: '°C' },
  },
  { id: 'paper', name: 'Paper', access: 'r', dataType: { kind: 'int', min: 0, max: 2, step: null, unit: null } },
  {
    id: 'receipt',
    name: 'Receipt',
    access: 'rw',
    dataType: {
      kind: 'struct',
      fields: [
        { id: 'copies', name: 'Copies', dataType: { kind: 'int', min: 1, max: 3, step: null, unit: null } },
        { id: 'lines', name: 'Lines at the end', dataType: { kind: 'array', maxItems: 4, item: { kind: 'text', maxLength: 40 } } },
      ],
    },
  },
];
const PAGES = 40;
const PAPER = { out: 0, low: 1, enough: 2 } as const;

export interface VirtualThings extends Things {
  /** Properties that it refuses to have set, though it has them. */
  readonly refuses: Set<string>;
  /** While it is so, it answers none of these commands. */
  silent: boolean;
  /** So many receipts were printed. */
  sold(receipts: number): void;
  /** Prints until there is no paper: said as an event. */
  useUpPaper(): void;
}

interface Options {
  readonly random: Random;
  /** What was set on it, over restarts too. */
  readonly kept: Map<string, unknown>;
  note(text: string): void;
  event(name: string, level: 'info' | 'warning', params: Record<string, string>): void;
  tell(values: Values): void;
}

const refused = (reason: string, message: string): Done => ({ ok: false, reason, message });
const never = new Promise<never>(() => {});

/** Screen, printer and receipt of a virtual terminal; its printer uses paper and says when it is out. */
export function virtualThings({ random, kept, note, event, tell }: Options): VirtualThings {
  const refuses = new Set<string>();
  let pages = Math.round(between(random, PAGES / 2, PAGES));
  let sold = 0;
  const warmth = between(random, 24, 34);
  const paper = () => (pages === 0 ? PAPER.out : pages <= 3 ? PAPER.low : PAPER.enough);
  const values = (): Values => ({
    brightness: 70,
    receipt: { copies: 1, lines: ['Thank you'] },
    printerTemperature: Math.round((warmth + between(random, 0, 4)) * 10) / 10,
    paper: paper(),
    ...(Object.fromEntries(kept) as Values),
  });
  /** Someone puts in a new roll when the last one was found empty. */
  const print = (copies: number): boolean => {
    if (pages === 0) pages = PAGES;
    const before = paper();
    const printed = copies <= pages;
    pages = Math.max(0, pages - copies);
    if (pages === 0) event('paperOut', 'warning', { at: new Date().toISOString() });
    if (paper() !== before) tell({ paper: paper() });
    return printed;
  };
  const faultOf = (id: string, value: unknown): Done | undefined => {
    const property = built.find((one) => one.id === id);
    if (!property) return refused('unknownProperty', id);
    if (property.access === 'r') return refused('readOnly', id);
    if (refuses.has(id)) return refused('busy', id);
    const wrong = valueFault(property.dataType, value, id);
    return wrong && refused('valueWrong', wrong.at);
  };
  const things: VirtualThings = {
    refuses,
    silent: false,
    values,
    async set(wanted) {
      if (things.silent) return never;
      const wrong = Object.entries(wanted)
        .map(([id, value]) => faultOf(id, value))
        .find(Boolean);
      if (wrong) return wrong;
      for (const [id, value] of Object.entries(wanted)) {
        kept.set(id, value);
        note(`set ${id} to ${JSON.stringify(value)}`);
      }
      return { ok: true };
    },
    async call(service, input) {
      if (things.silent) return never;
      if (service !== 'printTest') return refused('unknownService', service);
      await new Promise((resolve) => setTimeout(resolve, between(random, 200, 600)));
      const printed = print(Number(input.copies ?? 1));
      note(`printed a test page: ${printed}`);
      return { ok: true, output: { printed } };
    },
    sold(receipts) {
      sold += receipts;
      if (receipts > 0 && sold % 3 === 0) print(1);
    },
    useUpPaper: () => void print(pages === 0 ? PAGES : pages),
  };
  return things;
}
