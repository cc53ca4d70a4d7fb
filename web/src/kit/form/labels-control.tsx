import { TextInput } from '../../ui/controls.tsx';
import { useStore } from '../../ui/store.ts';
import { languages } from '../language.ts';
import type { ControlPart } from './types.ts';

/** A label for each language that is offered. */
export function Labels({ value = {}, onChange, disabled }: ControlPart<Record<string, string> | undefined>) {
  const known = useStore(languages);
  return (
    <div className="m-stack-tight">
      {known.map((one) => (
        <div key={one.langCode} className="m-row">
          <span className="m-label-lang m-muted">{one.language}</span>
          <TextInput
            label={one.language}
            value={value[one.langCode] ?? ''}
            onChange={(text) => onChange({ ...value, [one.langCode]: text })}
            max={128}
            disabled={disabled}
          />
        </div>
      ))}
    </div>
  );
}
