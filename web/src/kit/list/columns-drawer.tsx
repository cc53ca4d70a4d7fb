import type { Call } from '@mooring/contract/kit/call';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, Switch } from '../../ui/controls.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { useT } from '../../ui/words.ts';
import { type Chosen, moveColumn } from './table-config.ts';
import type { List } from './use-list.ts';

/** Which columns, in which order, pinned or not; one line or wrapped. Widths are drawn at the head of the table. */
export function ColumnsDrawer<C extends Call>({ list, open, onClose }: { list: List<C>; open: boolean; onClose: () => void }) {
  const t = useT();
  const { choice, change, reset } = list.config;
  const set = (key: string, part: Partial<Chosen>) =>
    change({ ...choice, columns: choice.columns.map((column) => (column.key === key ? { ...column, ...part } : column)) });
  const visible = choice.columns.filter((column) => column.visible).length;
  return (
    <Drawer
      open={open}
      title={t('kit.columns.title')}
      onClose={onClose}
      width={380}
      footer={
        <>
          <Button onClick={reset}>{t('kit.columns.reset')}</Button>
          <Button look="primary" onClick={onClose}>
            {t('kit.done')}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <div className="m-row">
          <Switch
            value={choice.isSingleLine}
            onChange={(isSingleLine) => change({ ...choice, isSingleLine })}
            label={t('kit.columns.single')}
          />
          <span>{t('kit.columns.single')}</span>
        </div>
        <ul className="m-columns">
          {choice.columns.map((column, at) => {
            const declared = list.spec.columns.find((one) => one.key === column.key);
            if (!declared) return null;
            const name = t(declared.title);
            return (
              <li key={column.key} className="m-row">
                <span className="m-grow">
                  <Checkbox
                    value={column.visible}
                    disabled={column.visible && visible === 1}
                    onChange={(next) => set(column.key, { visible: next })}
                  >
                    {name}
                  </Checkbox>
                </span>
                <IconButton
                  small
                  icon="pin"
                  label={t('kit.columns.pin', { name })}
                  pressed={column.pinned !== undefined}
                  onClick={() => set(column.key, { pinned: column.pinned ? undefined : 'left' })}
                />
                <IconButton
                  small
                  icon="up"
                  label={t('kit.columns.up', { name })}
                  disabled={at === 0}
                  onClick={() => change(moveColumn(choice, column.key, -1))}
                />
                <IconButton
                  small
                  icon="down"
                  label={t('kit.columns.down', { name })}
                  disabled={at === choice.columns.length - 1}
                  onClick={() => change(moveColumn(choice, column.key, 1))}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </Drawer>
  );
}
