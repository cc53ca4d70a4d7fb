import { productCalls } from '@mooring/contract/product/calls';
import { useDict } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import { mayCall } from '../../kit/session.ts';
import { leadOn } from './lead-on.ts';

const useIndustries = (text: string) => useDict('industry', text);

export const productForm = formPage({
  title: 'product.add',
  call: productCalls.add,
  submit: 'product.add',
  successText: 'done.added',
  next: leadOn,
  initial: { networks: ['wifi', 'cellular'], packageKinds: ['firmware'], heartbeatSeconds: 300, category: 'smartPos', publish: true },
  edit: {
    title: 'product.edit',
    load: productCalls.detail,
    call: productCalls.update,
    successText: 'done.saved',
    allowedAction: 'update',
    values: ({ code, name, category, firm, industry, networks, packageKinds, heartbeatSeconds, remark }) => ({
      code,
      name,
      category,
      firm,
      industry,
      networks,
      packageKinds,
      heartbeatSeconds,
      remark,
    }),
    fixed: ['code'],
  },
  sections: [
    {
      fields: [
        { name: 'code', label: 'product.code', help: 'product.code.help' },
        { name: 'name', label: 'product.name' },
        { name: 'category', label: 'product.category', names: 'product.category.' },
        { name: 'firm', label: 'product.firm' },
        { name: 'industry', label: 'product.industry', kind: 'one', useChoices: useIndustries },
        { name: 'heartbeatSeconds', label: 'product.heartbeatSeconds', kind: 'number' },
        { name: 'networks', label: 'product.networks', kind: 'multi', names: 'device.network.' },
        { name: 'packageKinds', label: 'product.packageKinds', kind: 'multi', names: 'product.packageKind.' },
        { name: 'remark', label: 'product.remark', kind: 'area' },
        {
          name: 'publish',
          label: 'product.publishNow',
          help: 'product.publishNow.help',
          kind: 'switch',
          when: (values) => !('id' in values) && mayCall(productCalls.publish),
        },
      ],
    },
  ],
  done: () => '/device/product',
  cancel: '/device/product',
});
