import { paramLevels } from '@mooring/contract/paramfile/resolve';
import { useState } from 'react';
import { useDepts, useMerchants, useShops, useTerminals } from '../../kit/choices.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup, Select } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { useT, wordsOf } from '../../ui/words.ts';
import { LevelDialog } from './level-dialog.tsx';
import type { PlaceOf } from './places.ts';

type Level = PlaceOf['level'];
const choicesOf = { org: useDepts, merchant: useMerchants, shop: useShops, device: useTerminals } as const;

/** One place of a level; drawn anew for each, since each asks elsewhere. */
function PlaceSelect({ level, value, onChange }: { level: Level; value: number | undefined; onChange: (id: number | undefined) => void }) {
  const [text, setText] = useState('');
  const useChoices = choicesOf[level];
  const { choices, busy } = useChoices(text, value === undefined ? [] : [value]);
  return (
    <Select
      value={value}
      onChange={onChange}
      onSearch={setText}
      busy={busy}
      options={choices.map((one) => ({ value: one.value, label: wordsOf(one.label) }))}
    />
  );
}

/** Which place is given values: then its form. */
export function GiveFor({ templateId, onClose }: { templateId: number; onClose: () => void }) {
  const t = useT();
  const [level, setLevel] = useState<Level>('org');
  const [id, setId] = useState<number>();
  const [chosen, setChosen] = useState<PlaceOf>();
  const [tried, setTried] = useState(false);
  if (chosen) return <LevelDialog templateId={templateId} place={chosen} onClose={onClose} />;
  return (
    <Dialog
      open
      title={t('paramLevel.give')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" onClick={() => (id === undefined ? setTried(true) : setChosen({ level, id }))}>
            {t('paramLevel.next')}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <Field label={t('paramLevel.level')} group>
          <RadioGroup
            value={level}
            options={paramLevels.map((one) => ({ value: one, label: t(`paramLevel.level.${one}`) }))}
            onChange={(next) => {
              setLevel(next);
              setId(undefined);
            }}
          />
        </Field>
        <Field
          key={level}
          label={t(`paramLevel.level.${level}`)}
          required
          error={tried && id === undefined ? t('invalid.required') : undefined}
        >
          <PlaceSelect level={level} value={id} onChange={setId} />
        </Field>
      </div>
    </Dialog>
  );
}
