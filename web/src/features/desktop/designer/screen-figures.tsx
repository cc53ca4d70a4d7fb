import type { Figures } from '@mooring/contract/desktop/layout';
import { NumberInput } from '../../../ui/controls.tsx';
import { Field } from '../../../ui/field.tsx';
import { useT, type Words, wordsOf } from '../../../ui/words.ts';

const figures = ['width', 'height', 'columns', 'rows'] as const;
export type Typed = Readonly<Record<(typeof figures)[number], number | string | undefined>>;

interface FiguresProps {
  value: Figures | Typed;
  onChange: (name: (typeof figures)[number], value: number | string | undefined) => void;
  problems?: Readonly<Record<string, Words>>;
  disabled?: boolean;
}
/** The size of a screen and of its grid. */
export function ScreenFigures({ value, onChange, problems = {}, disabled = false }: FiguresProps) {
  const t = useT();
  return (
    <div className="m-designer-figures">
      {figures.map((name) => {
        const problem = problems[name];
        return (
          <Field key={name} label={t(`desktop.screen.${name}`)} error={problem && wordsOf(problem)}>
            <NumberInput value={value[name]} disabled={disabled} onChange={(next) => onChange(name, next)} />
          </Field>
        );
      })}
    </div>
  );
}
