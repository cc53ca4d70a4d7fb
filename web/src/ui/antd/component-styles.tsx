/** @jsxRuntime automatic */
import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs';
import {
  Button,
  Checkbox,
  ConfigProvider,
  DatePicker,
  Drawer,
  Dropdown,
  Input,
  InputNumber,
  Modal,
  QRCode,
  Radio,
  Select,
  Switch,
  Tooltip,
} from 'antd';
import { renderToString } from 'react-dom/server';
import type { Plugin } from 'vite';
import { antdNames } from '../tokens.ts';

/** Every component of antd that the console uses, drawn once, with its kinds that bring styles of their own. */
const everyComponent = (
  <>
    <Button />
    <Checkbox />
    <Checkbox.Group />
    <DatePicker />
    <DatePicker.RangePicker />
    <Drawer />
    <Dropdown menu={{ items: [] }}>
      <i />
    </Dropdown>
    <Input />
    <Input.TextArea />
    <Input.Password />
    <InputNumber />
    <Modal />
    <QRCode value="-" />
    <Radio />
    <Radio.Group />
    <Select />
    <Switch />
    <Tooltip>
      <i />
    </Tooltip>
  </>
);

/** Their rules, in the layer `antd`. What they name by variables is the theme's, which the browser alone knows. */
export function componentStyles(): string {
  const cache = createCache();
  renderToString(
    <StyleProvider cache={cache} layer>
      <ConfigProvider theme={antdNames}>{everyComponent}</ConfigProvider>
    </StyleProvider>,
  );
  return extractStyle(cache, { plain: true, types: 'style' });
}

/** Made once for all instead of by each browser at each load: a quarter of what its scripts take there. */
export const styled: Plugin = {
  name: 'component-styles',
  transform: {
    filter: { id: /component-styles\.css$/ },
    handler: () => ({ code: componentStyles(), map: null }),
  },
};
