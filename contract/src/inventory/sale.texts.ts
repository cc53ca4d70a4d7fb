import type { FieldTexts } from '../kit/field-texts.ts';
import { texts } from '../kit/texts.ts';
import type { Sale } from './sale.ts';

/** Terminals that were issued for good. */
export const saleTexts = texts({
  'life.sale.sold': ['Sold', '已售出'],
  'life.sale.returned': ['Returned', '已退货'],
  'event.sale.takeBack': ['Return to stock', '退货入库'],
  'event.sale.created': ['Sold', '已售出'],
  'sale.title': ['Sales', '销售'],
  'sale.empty': ['No sales yet', '暂无销售记录'],
  'sale.emptyText': [
    'Sell terminals from stock to a merchant or a buyer, with price and warranty.',
    '将库存终端售予商户或买方，并记录价格和保修。',
  ],
  'sale.search': ['SN, document or buyer', '序列号、单据号或买方'],
  'sale.add': ['Sell terminal', '销售终端'],
  'sale.added': ['Terminal sold', '终端已售出'],
  'sale.edit': ['Edit sale', '编辑销售记录'],
  'sale.deviceId': ['Terminal', '终端'],
  'sale.deviceId.help': ['It has to be in stock.', '终端须在库存中。'],
  'sale.number': ['Document', '单据号'],
  'sale.number.help': ['Invoice or delivery note. Leave empty to have one generated.', '发票号或送货单号，留空则自动生成。'],
  'sale.state': ['State', '状态'],
  'sale.merchantId': ['Merchant', '商户'],
  'sale.buyer': ['Buyer', '买方'],
  'sale.buyer.help': ['Needed where no merchant is chosen.', '未选择商户时必填。'],
  'sale.buyer.needed': ['Choose a merchant or name the buyer.', '请选择商户或填写买方。'],
  'sale.currency': ['Currency', '币种'],
  'sale.currency.1': ['¥', '¥'],
  'sale.currency.2': ['$', '$'],
  'sale.price': ['Price', '价格'],
  'sale.soldAt': ['Sold on', '销售日期'],
  'sale.warrantyUntil': ['Warranty until', '保修至'],
  'sale.returnedAt': ['Returned', '退货时间'],
  'sale.remark': ['Remark', '备注'],
  'sale.createdBy': ['Created by', '创建人'],
  'sale.createdAt': ['Created', '创建时间'],
  'sale.takeBack.about': ['{name} comes back into your stock and leaves its merchant.', '{name} 将回到库存，并与商户解除关联。'],
  'sale.takeBack.done': ['Terminal {name} is back in stock', '终端 {name} 已回到库存'],
  'fault.DEVICE_SOLD': ['The terminal was sold. Return the sale first.', '该终端已售出，请先办理退货。'],
  'fault.STILL_SOLD': [
    'The terminal was sold under document {document}. Return that sale to stock first.',
    '该终端已按单据 {document} 售出，请先办理退货。',
  ],
  'fault.SALE_RETURNED': ['The terminal was returned; this record stays as it is.', '终端已退货，该记录不可修改。'],
  'fault.SALE_ELSEWHERE': [
    'The terminal is online or disabled. Switch it off before you return it to stock.',
    '终端在线或已停用，请先关机再退货。',
  ],
  'invalid.warranty': ['The warranty can’t end before the sale.', '保修截止日期不能早于销售日期。'],
}) satisfies FieldTexts<typeof Sale>;
