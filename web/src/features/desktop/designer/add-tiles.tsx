import type { Tile } from '@mooring/contract/desktop/layout';
import { PICTURE } from '@mooring/contract/desktop/limits';
import { useState } from 'react';
import { FileField } from '../../../kit/upload/file-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { useT } from '../../../ui/words.ts';
import type { Draft } from './edits.ts';

const kinds = ['app', 'folder', 'picture', 'advert', 'clock', 'text', 'link'] as const;

/** A new tile of a kind, to be filled in beside; a picture is there once it is uploaded. */
function draftOf(kind: Exclude<Tile['kind'], 'picture'>): Draft {
  if (kind === 'app') return { kind, package: '', label: '' };
  if (kind === 'folder') return { kind, label: '', apps: [] };
  if (kind === 'text') return { kind, label: '', text: '' };
  if (kind === 'link') return { kind, label: '', url: 'https://' };
  return { kind, label: '' };
}

export function AddTiles({ onAdd, disabled }: { onAdd: (draft: Draft, size: { w: number; h: number }) => void; disabled: boolean }) {
  const t = useT();
  const [isPicture, setPicture] = useState(false);
  const add = (kind: Tile['kind']) => {
    setPicture(kind === 'picture');
    if (kind !== 'picture') onAdd(draftOf(kind), kind === 'advert' || kind === 'clock' ? { w: 2, h: 1 } : { w: 1, h: 1 });
  };
  return (
    <div className="m-stack-tight">
      <fieldset className="m-row m-row-wrap m-designer-kinds">
        <legend className="m-hidden">{t('desktop.add.tile')}</legend>
        {kinds.map((kind) => (
          <Button key={kind} small icon="add" disabled={disabled} onClick={() => add(kind)}>
            {t(`desktop.tile.${kind}`)}
          </Button>
        ))}
      </fieldset>
      {isPicture ? (
        <FileField
          fileType={PICTURE}
          value={undefined}
          onChange={(fileId) => {
            if (fileId === undefined) return;
            setPicture(false);
            onAdd({ kind: 'picture', fileId, label: '' }, { w: 2, h: 2 });
          }}
          onBlur={() => {}}
          values={{}}
          set={() => {}}
          fill={() => {}}
          disabled={disabled}
        />
      ) : null}
    </div>
  );
}
