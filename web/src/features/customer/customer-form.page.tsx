import { IotCustomer, iotCustomerCalls, iotKinds, signInsOf } from '@mooring/contract/customer/customer';
import type { InputOf } from '@mooring/contract/kit/call';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import type { ControlPart, Section } from '../../kit/form/types.ts';
import { type EntityField, fieldsOf } from '../../kit/resource/entity-field.ts';
import { formOf } from '../../kit/resource/resource-form.ts';
import { PasswordInput, Select, TextArea } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

type Kind = (typeof iotKinds)[number];
/** What is typed so far, as far as other fields follow from it. */
interface Seen {
  readonly kind?: unknown;
  readonly signIn?: unknown;
}
const kindIn = (values: Seen): Kind | undefined => iotKinds.find((one) => one === values.kind);

/** Each kind knows who sends in ways of its own: the usual one goes along. */
function KindControl({ value, onChange, onBlur, set, disabled }: ControlPart<Kind | undefined>) {
  const t = useT();
  const choose = (kind: Kind | undefined) => {
    if (kind === undefined) return;
    onChange(kind);
    set('signIn', signInsOf[kind][0]);
  };
  const options = iotKinds.map((one) => ({ value: one, label: t(`iotCustomer.kind.${one}`) }));
  return <Select value={value} onChange={choose} onBlur={onBlur} disabled={disabled} options={options} />;
}

type SignIn = (typeof signInsOf)[Kind][number];
function SignInControl({ value, onChange, onBlur, values, disabled }: ControlPart<SignIn | undefined>) {
  const t = useT();
  const kind = kindIn(values);
  const ways: readonly SignIn[] = kind ? signInsOf[kind] : [];
  const options = ways.map((one) => ({ value: one, label: t(`iotCustomer.signIn.${one}`) }));
  const choose = (next: SignIn | undefined) => next !== undefined && onChange(next);
  return <Select value={value} onChange={choose} onBlur={onBlur} disabled={disabled || options.length < 2} options={options} />;
}

/** A private key has lines; every other secret has one. */
function SecretControl({ value = '', onChange, onBlur, values }: ControlPart<string | undefined>) {
  return values.signIn === 'certificate' ? (
    <TextArea mono rows={4} value={value} onChange={onChange} onBlur={onBlur} />
  ) : (
    <PasswordInput value={value} onChange={onChange} onBlur={onBlur} autoComplete="new-password" />
  );
}

const isAws = (values: Seen) => kindIn(values) === 'aws';
const hasTopic = (values: Seen) => kindIn(values) !== undefined && kindIn(values) !== 'https';
const isKnown = (values: Seen) => kindIn(values) !== undefined;
const signsBy =
  (...ways: readonly string[]) =>
  (values: Seen) =>
    ways.some((one) => one === values.signIn);

const plain = formOf(IotCustomer, iotCustomerCalls, { path: '/customerConfig', fields: [], successText: 'iotCustomer.added' });
const fields = (given: readonly EntityField<typeof IotCustomer>[]) =>
  fieldsOf(IotCustomer, given) as unknown as Section<InputOf<typeof iotCustomerCalls.add>>['fields'];

export const customerForm = formPage({
  ...plain,
  done: ({ id }) => `/customerConfig/${id}`,
  sections: [
    {
      title: 'iotCustomer.part.connection',
      fields: fields([
        'name',
        { name: 'deptId', kind: 'one', useChoices: useDepts, own: true },
        { name: 'kind', Control: KindControl },
        { name: 'signIn', Control: SignInControl, when: isKnown },
        { name: 'endpoint', kind: 'text', wide: true, when: isKnown },
        { name: 'region', needed: true, when: isAws },
        { name: 'policy', needed: true, when: isAws },
        { name: 'controlEndpoint', kind: 'text', wide: true, when: isAws },
        { name: 'userName', kind: 'text', needed: true, when: signsBy('password', 'accessKey') },
        { name: 'certificate', kind: 'area', needed: true, wide: true, when: signsBy('certificate') },
        { name: 'secret', Control: SecretControl, wide: true, unmarked: true, when: isKnown },
        { name: 'topic', kind: 'text', wide: true, when: hasTopic },
        { name: 'ca', kind: 'area', wide: true, when: isKnown },
      ]),
    },
    {
      title: 'iotCustomer.part.what',
      fields: fields([
        'properties',
        { name: 'propertyNames', kind: 'tags', needed: true, when: ({ properties }) => properties === 'some' },
        'events',
        { name: 'eventNames', kind: 'tags', needed: true, when: ({ events }) => events === 'some' },
        { name: 'eventLevel', when: ({ events }) => events !== 'none' },
        { name: 'presence', kind: 'switch' },
        { name: 'productIds', kind: 'multi', useChoices: useProducts },
      ]),
    },
    { title: 'iotCustomer.part.limits', fields: fields(['backlogDays', 'backlogRows']) },
  ],
});
