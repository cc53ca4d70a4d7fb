import { type ThingModel, type ThingService, type ValueFault, valueFault } from '../../product/thing-model.ts';
import type { ThingField } from '../../product/thing-types.ts';

/** Of all values of a message: it has to fit into one, with its envelope. */
export const VALUES_BYTES = 32 * 1024;
export type Values = Readonly<Record<string, unknown>>;
export type Problem = ValueFault['problem'] | 'readOnly' | 'large' | 'empty';
/** What is wrong with values, by their place: `receipt.lines[2]`. */
export interface Misfit {
  readonly problem: Problem;
  readonly at: string;
  readonly limit?: number | undefined;
}

const bytesOf = (values: Values) => new TextEncoder().encode(JSON.stringify(values)).length;
const isLarge = (values: Values): Misfit[] => (bytesOf(values) > VALUES_BYTES ? [{ problem: 'large', at: '', limit: VALUES_BYTES }] : []);

function misfitsOf(fields: readonly ThingField[], values: Values): Misfit[] {
  const unknown = Object.keys(values).filter((id) => !fields.some((field) => field.id === id));
  const wrong = fields.flatMap(({ id, dataType }): Misfit[] => {
    const found = Object.hasOwn(values, id) ? valueFault(dataType, values[id], id) : { problem: 'missing' as const, at: id };
    return found ? [found] : [];
  });
  return [...unknown.map((id): Misfit => ({ problem: 'unknown', at: id })), ...wrong, ...isLarge(values)];
}

/** What is wrong with values that are to be set: of each property the first thing. */
export function wrongToSet(model: Pick<ThingModel, 'properties'>, values: Values): Misfit[] {
  const ids = Object.keys(values);
  if (ids.length === 0) return [{ problem: 'empty', at: '' }];
  const wrong = ids.flatMap((id): Misfit[] => {
    const property = model.properties.find((one) => one.id === id);
    if (!property) return [{ problem: 'unknown', at: id }];
    if (property.access === 'r') return [{ problem: 'readOnly', at: id }];
    const found = valueFault(property.dataType, values[id], id);
    return found ? [found] : [];
  });
  return [...wrong, ...isLarge(values)];
}

/** What is wrong with what a service is called with. */
export const wrongInput = (service: Pick<ThingService, 'input'>, input: Values): Misfit[] => misfitsOf(service.input, input);

const isValues = (output: unknown): output is Values => typeof output === 'object' && output !== null && !Array.isArray(output);
/** What is wrong with an answer of a terminal; what it says beyond the model is no fault. */
export function wrongAnswer(fields: readonly ThingField[], output: unknown): Misfit[] {
  if (fields.length === 0) return [];
  if (!isValues(output)) return [{ problem: 'type', at: '' }];
  return misfitsOf(fields, output).filter(
    ({ problem, at }) => problem !== 'large' && !(problem === 'unknown' && Object.hasOwn(output, at)),
  );
}
