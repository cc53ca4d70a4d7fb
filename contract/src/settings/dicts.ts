import { networkKinds, productCategories } from '../product/calls.ts';

/** Lists that the product itself needs. `names` is the text key prefix of locked entries, whose labels follow the language packs. */
export interface SystemDict {
  readonly code: string;
  readonly name: string;
  readonly remark: string;
  readonly names?: string;
  /** There is a drawn picture of each. */
  readonly drawn?: true;
  readonly values: readonly string[];
  /** First entries that a person may change or delete: English, Chinese, Arabic. */
  readonly open?: Readonly<Record<string, readonly [en: string, zh: string, ar: string]>>;
}

export const systemDicts: readonly SystemDict[] = [
  {
    code: 'productCategory',
    name: 'Product categories',
    remark: 'Kinds of devices',
    names: 'product.category.',
    values: productCategories,
    drawn: true,
  },
  {
    code: 'networkKind',
    name: 'Network kinds',
    remark: 'How a terminal reaches us',
    names: 'device.network.',
    values: networkKinds,
  },
  {
    code: 'industry',
    name: 'Industries',
    remark: 'Offered where a product names its industry',
    values: [],
    open: {
      retail: ['Retail', '零售', 'تجزئة'],
      hospitality: ['Hospitality', '餐饮酒店', 'ضيافة'],
      transport: ['Transport', '交通', 'نقل'],
      health: ['Health', '医疗', 'صحة'],
      bank: ['Banking', '银行', 'مصارف'],
      other: ['Other', '其他', 'أخرى'],
    },
  },
];
