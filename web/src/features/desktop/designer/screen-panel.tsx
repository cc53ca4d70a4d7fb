import type { ScreenLayout } from '@mooring/contract/desktop/layout';
import { PictureControl } from '../../../kit/upload/picture-control.tsx';
import { Field } from '../../../ui/field.tsx';
import { TagsInput } from '../../../ui/tags-input.tsx';
import { useT } from '../../../ui/words.ts';
import { ScreenFigures } from './screen-figures.tsx';

interface PanelProps {
  layout: ScreenLayout;
  isMain: boolean;
  onPut: (layout: ScreenLayout) => void;
  disabled: boolean;
}

/** What every page of a screen has in common: the grid, its size, the wallpaper and the dock. */
export function ScreenPanel({ layout, isMain, onPut, disabled }: PanelProps) {
  const t = useT();
  return (
    <section className="m-panel m-panel-body m-stack" aria-label={t('desktop.screen')}>
      <h2>{t('desktop.screen')}</h2>
      <ScreenFigures
        value={layout}
        disabled={disabled}
        onChange={(name, next) =>
          typeof next === 'number' && Number.isInteger(next) && next > 0 && next <= 4096 && onPut({ ...layout, [name]: next })
        }
      />
      <Field label={t('desktop.screen.dock')} help={t('desktop.tile.apps.help')}>
        <TagsInput
          value={layout.dock.map((one) => one.package)}
          onChange={(next) =>
            onPut({ ...layout, dock: next.map((name) => layout.dock.find((one) => one.package === name) ?? { package: name, label: '' }) })
          }
        />
      </Field>
      <Field label={t('customization.wallpaperId')} group {...(isMain ? {} : { help: t('desktop.screen.wallpaper.help') })}>
        <PictureControl
          none={isMain ? 'customization.picture.remove' : 'desktop.screen.wallpaper.main'}
          value={layout.wallpaperId}
          onChange={(id) => onPut({ ...layout, wallpaperId: id ?? null })}
          onBlur={() => {}}
          values={{}}
          set={() => {}}
          fill={() => {}}
          disabled={disabled}
        />
      </Field>
    </section>
  );
}
