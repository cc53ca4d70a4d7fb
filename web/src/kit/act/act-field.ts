import type { Call } from '@mooring/contract/kit/call';
import { coreOf, defOf, limitsOf, shapeOf } from '@mooring/contract/kit/issue-words';
import { hasText, type TextKey } from '../../ui/words.ts';
import type { FieldSpec } from '../form/types.ts';
import type { ActField } from '../list/types.ts';

/** A field's own words in this act, or else those of its domain. */
function labelOf(act: TextKey, name: string): TextKey {
  const own = `${act}.${name}`;
  return hasText(own) ? own : (`${act.split('.', 1)[0]}.${name}` as TextKey);
}

/** A field of an act's form: what isn't said of it follows from the call's input and from the texts. */
export function actField(act: TextKey, call: Call, given: ActField): FieldSpec {
  const own = typeof given === 'string' ? { name: given } : given;
  const label = own.label ?? labelOf(act, own.name);
  const help = `${label}.help`;
  const schema = shapeOf(call.input)[own.name];
  return {
    label,
    ...(hasText(help) ? { help } : {}),
    ...(limitsOf(schema).options ? { names: `${label}.` } : {}),
    ...(own.useChoices ? { kind: schema && defOf(coreOf(schema)).type === 'array' ? 'multi' : 'one' } : {}),
    ...own,
  };
}
