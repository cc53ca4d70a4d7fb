import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { awsCalls } from '@mooring/contract/customer/registration';
import { bulkAct } from './list/types.ts';
import { useCall } from './queries.ts';

/** Platforms that terminals are registered at. */
function useAwsPlatforms(text: string) {
  const criteria = { kind: 'aws' as const, ...(text === '' ? {} : { text }) };
  const found = useCall(iotCustomerCalls.page, { criteria, page: { size: 50 } }, { keep: true });
  return {
    choices: (found.data?.content ?? []).map(({ id, name, deptName }) => ({ value: id, label: { text: `${name} · ${deptName}` } })),
    busy: found.fetching,
    madeOn: ['customerConfig'],
  };
}

/** Of any list of terminals: by its filter, or chosen ones. */
export const registerAtIot = bulkAct(awsCalls.register, {
  label: 'device.bulk.iotRegister',
  icon: 'upload',
  text: 'iotRegistration.register.about',
  successText: 'iotRegistration.many.done',
  form: { fields: [{ name: 'customerId', label: 'iotRegistration.register.at', kind: 'one', useChoices: useAwsPlatforms }], initial: {} },
});
