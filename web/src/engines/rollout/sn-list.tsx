import { useRef, useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';
import { readSns } from './scope-values.ts';

type Part = Pick<ControlPart<string[] | undefined>, 'value' | 'onChange' | 'onBlur'> & {
  /** Each once, unless a list is wanted as it was written. */
  read?: (text: string) => string[];
};

/** Serial numbers, typed, pasted or read from a file. */
export function SnList({ value, onChange, onBlur, read = readSns }: Part) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  // The text is the person's own until it is left: a line that has just been begun is no serial number yet.
  const [text, setText] = useState(() => (value ?? []).join('\n'));
  const put = (next: string) => {
    setText(next);
    onChange(read(next));
  };
  const tidy = () => setText((value ?? []).join('\n'));
  const take = async (file: File | undefined) => {
    if (file) put(read(`${text}\n${await file.text()}`).join('\n'));
  };
  return (
    <div className="m-stack-tight">
      <TextArea
        value={text}
        onChange={put}
        onBlur={() => {
          tidy();
          onBlur();
        }}
      />
      <div className="m-row">
        <span className="m-muted m-grow">{t('firmware.task.snsCount', { count: value?.length ?? 0 })}</span>
        <Button small icon="upload" onClick={() => input.current?.click()}>
          {t('firmware.task.snsFile')}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".txt,.csv"
        aria-label={t('firmware.task.snsFile')}
        onChange={(event) => void take(event.target.files?.[0])}
      />
    </div>
  );
}
