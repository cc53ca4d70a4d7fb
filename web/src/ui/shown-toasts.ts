export type ToastKind = 'done' | 'info' | 'warning' | 'error';
/** What can be done next, or undone. */
export interface NextStep {
  readonly label: string;
  readonly onClick: () => void;
}
export interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly text: string;
  readonly action?: NextStep | undefined;
  /** Until somebody closes it. */
  readonly stays: boolean;
}

/** Of those that pass by themselves; more would hide the page. */
const PASSING = 4;

/** With one more: the oldest that would pass anyway make room, never one that has to be read. The same words don't stand there twice. */
export function withToast(shown: readonly Toast[], one: Toast): readonly Toast[] {
  const same = shown.find(({ text, stays }) => stays && text === one.text);
  if (same && !one.stays) return shown;
  const others = shown.filter(({ text }) => text !== one.text);
  const passing = others.filter(({ stays }) => !stays).slice(one.stays ? -PASSING : 1 - PASSING);
  return [...others.filter((other) => other.stays || passing.includes(other)), one];
}
