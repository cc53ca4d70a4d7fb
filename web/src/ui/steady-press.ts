const PRESSABLE = 'button, a[href], input[type=checkbox]';
/** A hand that rests moves a little. */
const REST_PX = 4;

interface Press {
  readonly on: HTMLElement;
  readonly x: number;
  readonly y: number;
}

const isPlain = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;

/**
 * An answer that comes while somebody presses may move the button away under a pointer that rests: browsers make of that a click on what holds
 * both, and the press is lost. It counts for what was pressed.
 */
export function keepPressesSteady(): void {
  let pressed: Press | undefined;
  document.addEventListener(
    'mousedown',
    (event) => {
      const on = event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSABLE) : null;
      pressed = on && isPlain(event) ? { on, x: event.clientX, y: event.clientY } : undefined;
    },
    true,
  );
  document.addEventListener(
    'click',
    (event) => {
      const before = pressed;
      pressed = undefined;
      if (!before || !event.isTrusted || !isPlain(event) || !before.on.isConnected) return;
      if (!(event.target instanceof Node) || before.on.contains(event.target)) return;
      if (Math.abs(event.clientX - before.x) > REST_PX || Math.abs(event.clientY - before.y) > REST_PX) return;
      event.stopPropagation();
      event.preventDefault();
      before.on.click();
    },
    true,
  );
}
