import { Branding, SingleSignOn } from '@mooring/contract/settings/kinds';
import type { z } from 'zod';
import { useDepts } from '../../kit/choices.ts';
import { fixedFields } from '../../kit/form/form-view.tsx';
import { SubForm } from '../../kit/form/sub-form.tsx';
import type { ControlPart, FieldSpec, Values } from '../../kit/form/types.ts';
import { useRoles } from '../../kit/role-choices.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { PictureField } from './picture-field.tsx';

interface ItemsProps extends ControlPart<readonly Values[] | undefined> {
  item: z.ZodType;
  fields: readonly FieldSpec[];
  most: number;
}

// Items have no id of their own; a key lets the right one go when one is removed.
const keys = new WeakMap<object, number>();
let next = 0;
function keyOf(item: Values): number {
  const known = keys.get(item);
  if (known !== undefined) return known;
  next += 1;
  keys.set(item, next);
  return next;
}
/** The changed item stays the same one. */
function changed(before: Values, after: Values): Values {
  keys.set(after, keyOf(before));
  return after;
}

/** A short list of like things, each a small form. */
function Items({ value = [], onChange, item, fields, most, disabled }: ItemsProps) {
  const t = useT();
  return (
    <div className="m-stack">
      {value.map((one, at) => (
        <div key={keyOf(one)} className="m-row m-item">
          <div className="m-grow">
            <SubForm
              schema={item}
              fields={disabled ? fixedFields(fields) : fields}
              value={one}
              onChange={(after) => {
                if (JSON.stringify(after) !== JSON.stringify(one))
                  onChange(value.map((other, place) => (place === at ? changed(one, after) : other)));
              }}
            />
          </div>
          <IconButton
            icon="delete"
            label={t('kit.act.of', { act: t('settings.branding.remove'), name: String(at + 1) })}
            disabled={disabled}
            onClick={() => onChange(value.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      {value.length < most ? (
        <span>
          <Button small icon="add" disabled={disabled} onClick={() => onChange([...value, {}])}>
            {t('settings.branding.add')}
          </Button>
        </span>
      ) : null}
    </div>
  );
}

const productItem = Branding.shape.productList.unwrap().element;
const ruleItem = SingleSignOn.shape.rules.unwrap().element;
const relationItem = Branding.shape.relationPageList.unwrap().element;

export const ProductPictures = (part: ControlPart<readonly Values[] | undefined>) => (
  <Items
    {...part}
    item={productItem}
    most={8}
    fields={[
      { name: 'image', label: 'settings.branding.image', Control: PictureField },
      { name: 'link', label: 'settings.branding.link', kind: 'text' },
    ]}
  />
);

export const RelationLinks = (part: ControlPart<readonly Values[] | undefined>) => (
  <Items
    {...part}
    item={relationItem}
    most={12}
    fields={[
      { name: 'abbr', label: 'settings.branding.abbr' },
      { name: 'link', label: 'settings.branding.link', kind: 'text' },
      { name: 'description', label: 'settings.branding.description', kind: 'text' },
      { name: 'icon', label: 'settings.branding.icon', Control: PictureField },
    ]}
  />
);

/** What a group of the identity provider means here. */
export const GroupRules = (part: ControlPart<readonly Values[] | undefined>) => (
  <Items
    {...part}
    item={ruleItem}
    most={100}
    fields={[
      { name: 'group', label: 'settings.sso.group' },
      { name: 'roleId', label: 'settings.sso.role', kind: 'one', useChoices: useRoles },
      { name: 'deptId', label: 'settings.sso.dept', kind: 'one', useChoices: useDepts },
    ]}
  />
);
