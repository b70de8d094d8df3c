/** Stories of charts, and of filters as chips. */
import { ChartReader } from '../components/chart-reader.tsx'
import { Bars, Key, Share, Trend } from '../components/charts.tsx'
import { Chip } from '../components/chip.tsx'
import { longText, type Story } from './story.ts'

const days = (values: readonly (readonly number[])[]) =>
  values.map((each, position) => ({ at: String(position), label: `${position + 1} Nov`, values: each }))

const month = days(Array.from({ length: 30 }, (_, day) => [600 + 90 * Math.sin(day), day === 24 ? 260 : 30]))
const series = [
  { name: 'Succeeded', tone: 'accent' },
  { name: 'Failed', tone: 'brass' },
] as const
const nothing = () => undefined

export const charts: readonly Story[] = [
  {
    component: 'Bars',
    states: {
      'stacked, with a note': (
        <Bars
          isTall
          buckets={month}
          series={series}
          summary="Sign-ins in November"
          note={{ at: '24', text: '25 Nov: 260 failed' }}
        />
      ),
      'few values': <Bars buckets={days([[1], [0], [3]])} series={series.slice(0, 1)} summary="Sign-ups of three days" />,
      'no values': <Bars buckets={days([[0], [0], [0]])} series={series.slice(0, 1)} summary="No sign-ups" />,
    },
  },
  {
    component: 'ChartReader',
    states: {
      'on an empty chart': (
        <div className="relative h-20">
          <ChartReader
            intervals={month}
            summary="Values of November"
            textOf={(at) => at}
            centerOf={(at) => Number(at) * 3}
            isMirrored={false}
          >
            {(at) => at}
          </ChartReader>
        </div>
      ),
    },
  },
  {
    component: 'Trend',
    states: {
      normal: <Trend values={[3, 5, 4, 8, 7, 9]} tone="info" summary="Active users, from 3 to 9" />,
      'no values': <Trend values={[0, 0, 0]} tone="success" summary="No active users" />,
    },
  },
  {
    component: 'Share',
    states: { normal: <Share value={0.6} />, none: <Share value={0} />, all: <Share value={1} tone="brass" /> },
  },
  {
    component: 'Key',
    states: {
      normal: (
        <p className="flex items-center gap-2">
          <Key tone="accent" /> Sign-ins <Key tone="brass" /> Failed <Key tone="info" /> Sign-ups <Key tone="success" /> Emails
        </p>
      ),
    },
  },
  {
    component: 'Chip',
    states: {
      normal: <Chip field="Status is" value="Banned" removeLabel="Remove: status" onOpen={nothing} onRemove={nothing} />,
      'with a long value': (
        <Chip field="Organization is" value={longText} removeLabel="Remove: organization" onOpen={nothing} onRemove={nothing} />
      ),
    },
  },
]
