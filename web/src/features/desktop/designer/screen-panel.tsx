import type { Layout } from '@mooring/contract/desktop/layout';
import { PictureControl } from '../../../kit/upload/picture-control.tsx';
import { NumberInput } from '../../../ui/controls.tsx';
import { Field } from '../../../ui/field.tsx';
import { TagsInput } from '../../../ui/tags-input.tsx';
import { useT } from '../../../ui/words.ts';

const figures = ['columns', 'rows', 'width', 'height'] as const;

/** What every page has in common: the grid, the screen that it is for, the wallpaper and the dock. */
export function ScreenPanel({ layout, onPut, disabled }: { layout: Layout; onPut: (layout: Layout) => void; disabled: boolean }) {
  const t = useT();
  return (
    <section className="m-panel m-panel-body m-stack" aria-label={t('desktop.screen')}>
      <h2>{t('desktop.screen')}</h2>
      <div className="m-designer-figures">
        {figures.map((name) => (
          <Field key={name} label={t(`desktop.screen.${name}`)}>
            <NumberInput
              value={layout[name]}
              disabled={disabled}
              onChange={(next) =>
                typeof next === 'number' && Number.isInteger(next) && next > 0 && next <= 4096 && onPut({ ...layout, [name]: next })
              }
            />
          </Field>
        ))}
      </div>
      <Field label={t('desktop.screen.dock')} help={t('desktop.tile.apps.help')}>
        <TagsInput
          value={layout.dock.map((one) => one.package)}
          onChange={(next) =>
            onPut({ ...layout, dock: next.map((name) => layout.dock.find((one) => one.package === name) ?? { package: name, label: '' }) })
          }
        />
      </Field>
      <Field label={t('customization.wallpaperId')} group>
        <PictureControl
          none="customization.picture.remove"
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
