import { type PointerEvent, useRef, useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { Button } from '../../ui/button.tsx';
import { Unlinked } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';
import './inventory.css';

type Strokes = readonly (readonly number[])[];
const [WIDTH, HEIGHT, MOST_STROKES, MOST_NUMBERS] = [400, 140, 60, 800];

const pathOf = (stroke: readonly number[]) =>
  stroke.flatMap((x, at) => (at % 2 === 0 ? [`${at === 0 ? 'M' : 'L'}${x} ${stroke[at + 1] ?? 0}`] : [])).join('');

/** A signature as it was drawn. */
export function Signature({ strokes, label }: { strokes: Strokes; label: string }) {
  return (
    <svg className="m-signature" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      {strokes.map((stroke, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stroke is its place
        <path key={at} d={pathOf(stroke)} />
      ))}
    </svg>
  );
}

/** Drawn with pen, finger or mouse; the typed name beside it is enough for who has none of them. */
export function SignatureControl({ value = [], onChange, onBlur, disabled }: ControlPart<Strokes | undefined>) {
  const t = useT();
  const field = useRef<HTMLDivElement>(null);
  const [under, setUnder] = useState<readonly number[]>();
  const pointOf = ({ clientX, clientY }: PointerEvent): readonly number[] => {
    const box = field.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: WIDTH, height: HEIGHT };
    const within = (at: number, most: number) => Math.min(most, Math.max(0, Math.round(at)));
    return [within(((clientX - box.left) / box.width) * WIDTH, WIDTH), within(((clientY - box.top) / box.height) * HEIGHT, HEIGHT)];
  };
  const end = () => {
    if (under && under.length >= 4) onChange([...value, under]);
    setUnder(undefined);
    onBlur();
  };
  return (
    <Unlinked>
      <div className="m-stack-tight">
        <div
          ref={field}
          className="m-signature-field"
          onPointerDown={(event) => {
            if (disabled || value.length >= MOST_STROKES) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setUnder(pointOf(event));
          }}
          onPointerMove={(event) => under && under.length < MOST_NUMBERS && setUnder([...under, ...pointOf(event)])}
          onPointerUp={end}
          onPointerCancel={end}
        >
          <Signature strokes={under ? [...value, under] : value} label={t('receipt.signature')} />
        </div>
        <div className="m-row">
          <Button small disabled={disabled || value.length === 0} onClick={() => onChange([])}>
            {t('receipt.signature.clear')}
          </Button>
        </div>
      </div>
    </Unlinked>
  );
}
