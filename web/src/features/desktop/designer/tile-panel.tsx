import type { ScreenLayout, Tile } from '@mooring/contract/desktop/layout';
import { Button } from '../../../ui/button.tsx';
import { NumberInput, TextInput } from '../../../ui/controls.tsx';
import { Field } from '../../../ui/field.tsx';
import { TagsInput } from '../../../ui/tags-input.tsx';
import { useT } from '../../../ui/words.ts';
import { boxOf, patchTile, placeTile, removeTile } from './edits.ts';

interface PanelProps {
  layout: ScreenLayout;
  page: number;
  tile: Tile;
  onPut: (layout: ScreenLayout) => void;
  onGone: () => void;
}

/** What the chosen tile is. */
export function TilePanel({ layout, page, tile, onPut, onGone }: PanelProps) {
  const t = useT();
  const patch = (part: Partial<Tile>) => onPut(patchTile(layout, page, tile.id, part));
  const size = (side: 'w' | 'h') => (next: number | string | undefined) => {
    const put = typeof next === 'number' && next > 0 ? placeTile(layout, page, tile.id, { ...boxOf(tile), [side]: next }) : undefined;
    if (put) onPut(put);
  };
  return (
    <section className="m-panel m-panel-body m-stack" aria-label={t('desktop.tile')}>
      <h2>{t(`desktop.tile.${tile.kind}`)}</h2>
      {tile.kind === 'app' ? (
        <Field label={t('desktop.tile.package')} required>
          <TextInput mono value={tile.package} onChange={(next) => patch({ package: next })} />
        </Field>
      ) : null}
      {tile.kind === 'link' ? (
        <Field label={t('desktop.tile.url')} required>
          <TextInput value={tile.url} inputMode="url" onChange={(url) => patch({ url })} />
        </Field>
      ) : null}
      {tile.kind === 'text' ? (
        <Field label={t('desktop.tile.words')} required>
          <TextInput value={tile.text} max={200} onChange={(text) => patch({ text })} />
        </Field>
      ) : null}
      {tile.kind === 'folder' ? (
        <Field label={t('desktop.tile.apps')} help={t('desktop.tile.apps.help')}>
          <TagsInput
            value={tile.apps.map((one) => one.package)}
            onChange={(next) =>
              patch({ apps: next.map((name) => tile.apps.find((one) => one.package === name) ?? { package: name, label: '' }) })
            }
          />
        </Field>
      ) : null}
      <Field label={t('desktop.tile.label')}>
        <TextInput value={tile.label} max={40} onChange={(label) => patch({ label })} />
      </Field>
      <div className="m-row">
        <Field label={t('desktop.tile.w')}>
          <NumberInput value={tile.w} onChange={size('w')} />
        </Field>
        <Field label={t('desktop.tile.h')}>
          <NumberInput value={tile.h} onChange={size('h')} />
        </Field>
      </div>
      <Button
        danger
        icon="delete"
        onClick={() => {
          onPut(removeTile(layout, page, tile.id));
          onGone();
        }}
      >
        {t('desktop.tile.remove')}
      </Button>
    </section>
  );
}
