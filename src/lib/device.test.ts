import { expect, test } from 'vitest'
import { describeDevice, userAgentOf } from './device.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/142.0.0.0 Safari/537.36`, 'computer Mac Chrome 142 macOS'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
    'computer Microsoft Edge 142 Windows',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/142.0.0.0 Safari/537.36`,
    'computer Chromebook Chrome 142 ChromeOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'computer Firefox 145 Linux'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`, 'phone Chrome 142 Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'phone iPhone Safari 26 iOS',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    'tablet iPad Safari 17 iPadOS',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 8) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'phone Pixel 8 Chrome 142 Android',
  ],
  ['curl/8.5.0', 'program curl 8.5.0'],
  ['acme-cli/2.4.1 (darwin)', 'program acme-cli 2.4.1'],
  ['node', 'program node'],
  ['<b>HTML</b>', 'program <b>HTML</b>'],
  ['', 'unknown '],
  [null, 'unknown '],
])('describes %s', (userAgent, expected) => {
  const { kind, model, program, system } = describeDevice(userAgent)
  expect([kind, model, program, system].filter((part) => part !== undefined).join(' ')).toBe(expected)
})

const onAndroid = (device: string) => `Mozilla/5.0 (Linux; ${device}) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`

test.each<[name: string, headers: Record<string, string>, expected: string]>([
  ['no hint', { 'user-agent': onAndroid('Android 10; K') }, onAndroid('Android 10; K')],
  [
    'both hints',
    { 'user-agent': onAndroid('Android 10; K'), 'sec-ch-ua-model': '"Pixel 8"', 'sec-ch-ua-platform-version': '"15.0.0"' },
    onAndroid('Android 15; Pixel 8'),
  ],
  [
    'only a model',
    { 'user-agent': onAndroid('Android 10; K'), 'sec-ch-ua-model': '"SM-S921B"' },
    onAndroid('Android 10; SM-S921B'),
  ],
  ['an empty model', { 'user-agent': onAndroid('Android 10; K'), 'sec-ch-ua-model': '""' }, onAndroid('Android 10; K')],
  ['a planted model', { 'user-agent': onAndroid('Android 10; K'), 'sec-ch-ua-model': '"x) <b>$&"' }, onAndroid('Android 10; K')],
  ['another system', { 'user-agent': 'curl/8.5.0', 'sec-ch-ua-model': '"Pixel 8"' }, 'curl/8.5.0'],
  ['nothing', {}, ''],
])('reads the user agent of a request with %s', (_, headers, expected) => {
  expect(userAgentOf({ header: (name) => headers[name] })).toBe(expected)
})
