/**
 * Charts as SVG: positions are percentages, so that texts and lines keep their size at any width without measuring. Each is an image
 * with a summary for assistive technology; the table next to it has the values.
 */
import { clsx } from 'clsx'
import { scaleBand, scaleLinear, scalePoint } from 'd3-scale'
import { area, line, stack } from 'd3-shape'
import type { ComponentProps } from 'react'
import { directionOf } from '../../../src/lib/locale.ts'
import type { Format } from '../i18n/format.ts'
import { useLocale } from '../i18n/messages.ts'
import { ChartReader, type IntervalLink } from './chart-reader.tsx'

export type ChartTone = 'accent' | 'brass' | 'info' | 'success'

const fills: Record<ChartTone, string> = {
  accent: 'fill-chart-accent',
  brass: 'fill-chart-brass',
  info: 'fill-chart-info',
  success: 'fill-chart-success',
}
const strokes: Record<ChartTone, string> = {
  accent: 'stroke-chart-accent',
  brass: 'stroke-chart-brass',
  info: 'stroke-chart-info',
  success: 'stroke-chart-success',
}
const grounds: Record<ChartTone, string> = {
  accent: 'bg-chart-accent',
  brass: 'bg-chart-brass',
  info: 'bg-chart-info',
  success: 'bg-chart-success',
}

/** The color of a series, next to its name. */
export const Key = ({ tone }: { readonly tone: ChartTone }) => (
  <span aria-hidden className={clsx('inline-block size-2 rounded-[2px]', grounds[tone])} />
)

/** A share of a whole as a bar. @param value from 0 to 1 */
export const Share = ({ value, tone = 'accent' }: { readonly value: number; readonly tone?: ChartTone }) => (
  <svg aria-hidden width="100%" height="6" className="block rtl:-scale-x-100">
    <rect width="100%" height="6" rx="2" className="fill-fill" />
    <rect width={`${Math.min(1, value) * 100}%`} height="6" rx="2" className={fills[tone]} />
  </svg>
)

const percent = (value: number) => `${value}%`

interface Bucket {
  /** Identifies it. */
  readonly at: string
  readonly label: string
  readonly values: readonly number[]
}

interface BarsProps {
  readonly buckets: readonly Bucket[]
  /** From the bottom to the top: name and color of each value. */
  readonly series: readonly { readonly name: string; readonly tone: ChartTone }[]
  /** What the chart shows, in a sentence. */
  readonly summary: string
  /** What stands above a bar that matters. */
  readonly note?: { readonly at: string; readonly text: string } | undefined
  readonly isTall?: boolean
  /** The list of what an interval counts. */
  readonly linkOf?: ((at: string) => IntervalLink) | undefined
}

/** Few labels, so that they never touch; the last one leaves room at the edge. */
const labelsOf = (buckets: readonly Bucket[]): Bucket[] => {
  const step = Math.max(1, Math.ceil(buckets.length / 5))
  return buckets.filter((_, position) => position % step === 0)
}

const bandsOf = (buckets: readonly Bucket[], isMirrored: boolean) =>
  scaleBand(isMirrored ? [100, 0] : [0, 100])
    .domain(buckets.map(({ at }) => at))
    .paddingInner(0.3)
    .paddingOuter(0.15)

/** Stacked bars over time, with a zero baseline. */
export function Bars({ buckets, series, summary, note, isTall = false, linkOf }: BarsProps) {
  const { locale, format } = useLocale()
  const isMirrored = directionOf(locale) === 'rtl'
  const totals = buckets.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const x = bandsOf(buckets, isMirrored)
  const y = scaleLinear([100, 0])
    .domain([0, Math.max(1, ...totals) * (note ? 1.12 : 1)])
    .nice(4)
  const layers = stack<unknown, Bucket, number>()
    .keys(series.keys())
    .value(({ values }, position) => values[position] ?? 0)(buckets)
  const ticks = y.ticks(4).filter(Number.isInteger)
  const indexOf = (at: string) => buckets.findIndex((bucket) => bucket.at === at)
  const bucketAt = (at: string) => buckets[indexOf(at)]
  const center = (at: string) => (x(at) ?? 0) + x.bandwidth() / 2
  return (
    <div className="grid grid-cols-[2.25rem_minmax(0,1fr)]">
      <svg aria-hidden className={clsx('w-full overflow-visible', isTall ? 'h-55' : 'h-40')}>
        {ticks.map((tick) => (
          <Label key={tick} x={isMirrored ? '100%' : 0} y={percent(y(tick))} dy="0.32em">
            {format.compact(tick)}
          </Label>
        ))}
      </svg>
      <div className="relative">
        <svg role="img" aria-label={summary} className={clsx('w-full overflow-visible', isTall ? 'h-55' : 'h-40')}>
          {ticks.map((tick) => (
            <line key={tick} x1="0" x2="100%" y1={percent(y(tick))} y2={percent(y(tick))} className="stroke-border" />
          ))}
          {layers.map((layer) =>
            layer.map(([from, to], position) => {
              const at = buckets[position]?.at ?? ''
              const gap = layer.key > 0 && to > from ? 0.8 : 0
              const size = { width: percent(x.bandwidth()), height: percent(Math.max(0, y(from) - y(to) - gap)) }
              const tone = series[layer.key]?.tone ?? 'accent'
              return <rect key={at} x={percent(x(at) ?? 0)} y={percent(y(to))} {...size} className={fills[tone]} />
            }),
          )}
          {note ? <Peak x={center(note.at)} y={y(totals[indexOf(note.at)] ?? 0)} text={note.text} /> : null}
        </svg>
        <ChartReader
          {...{ summary, isMirrored, linkOf }}
          intervals={buckets}
          centerOf={center}
          textOf={(at) => describe(bucketAt(at), series, format)}
        >
          {(at) => <Reading series={series} values={bucketAt(at)?.values ?? []} />}
        </ChartReader>
      </div>
      <svg aria-hidden className="col-start-2 h-6 w-full overflow-visible">
        {labelsOf(buckets).map(({ at, label }, position) => (
          <Label key={at} x={percent(center(at))} y="17" textAnchor="middle" isExtra={position % 2 === 1}>
            {label}
          </Label>
        ))}
      </svg>
    </div>
  )
}

interface LabelProps extends ComponentProps<'text'> {
  /** Left out in narrow windows. */
  readonly isExtra?: boolean
}

const Label = ({ isExtra = false, ...text }: LabelProps) => (
  <text {...text} className={clsx('fill-muted text-[11px] tabular-nums', isExtra && 'max-card:hidden')} />
)

/** One interval in words. */
function describe(bucket: Bucket | undefined, series: BarsProps['series'], format: Format): string {
  const values = series.map(({ name }, position) => `${name} ${format.number(bucket?.values[position] ?? 0)}`)
  return `${bucket?.label ?? ''}: ${values.join(', ')}`
}

/** The values of one interval, each with its color. */
function Reading({ series, values }: Pick<BarsProps, 'series'> & { readonly values: readonly number[] }) {
  const { format } = useLocale()
  return series.map(({ name, tone }, position) => (
    <span key={name} className="flex items-center gap-1.5 tabular-nums">
      <Key tone={tone} />
      <span className="text-muted">{name}</span>
      <span className="ms-auto ps-2">{format.number(values[position] ?? 0)}</span>
    </span>
  ))
}

/** Anchored so that the text stays inside of the chart. */
const Peak = ({ x, y, text }: { readonly x: number; readonly y: number; readonly text: string }) => (
  <g direction="ltr">
    <line x1={percent(x)} x2={percent(x)} y1="14" y2={percent(y)} className="stroke-control" />
    <text x={percent(x)} y="8" textAnchor={x > 70 ? 'end' : x < 30 ? 'start' : 'middle'} className="fill-text text-12">
      {text}
    </text>
  </g>
)

interface TrendProps {
  readonly values: readonly number[]
  readonly tone: ChartTone
  readonly summary: string
}

/** A level over time. Its baseline is zero. */
export function Trend({ values, tone, summary }: TrendProps) {
  const { locale } = useLocale()
  const x = scalePoint(directionOf(locale) === 'rtl' ? [100, 0] : [0, 100]).domain([...values.keys()].map(String))
  const y = scaleLinear([100, 4]).domain([0, Math.max(1, ...values)])
  const at = (_: number, position: number) => x(String(position)) ?? 0
  const path = line<number>().x(at).y(y)
  const below = area<number>().x(at).y0(100).y1(y)
  return (
    <svg role="img" aria-label={summary} viewBox="0 0 100 100" preserveAspectRatio="none" className="block h-16 w-full">
      <path d={below([...values]) ?? ''} className={clsx(fills[tone], 'opacity-15')} />
      <path
        d={path([...values]) ?? ''}
        vectorEffect="non-scaling-stroke"
        strokeWidth="1.75"
        strokeLinejoin="round"
        className={clsx('fill-none', strokes[tone])}
      />
      <line x1="0" x2="100" y1="100" y2="100" vectorEffect="non-scaling-stroke" className="stroke-border-strong" />
    </svg>
  )
}
