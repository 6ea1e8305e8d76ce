// Command readings summarises what sensors measured.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
)

// Reading is one value of one sensor.
type Reading struct {
	Sensor string
	Hour   int
	Value  float64
}

// Summary is what is known of one sensor.
type Summary struct {
	Count    int
	Min, Max float64
	Sum      float64
	byHour   map[int][]float64
}

var errEmpty = errors.New("nothing measured")

func parse(line string) (Reading, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return Reading{}, fmt.Errorf("%q has %d fields", line, len(fields))
	}
	var reading Reading
	reading.Sensor = fields[0]
	if _, err := fmt.Sscan(fields[1], &reading.Hour); err != nil {
		return reading, err
	}
	_, err := fmt.Sscan(fields[2], &reading.Value)
	return reading, err
}

func summarise(readings []Reading) (map[string]*Summary, error) {
	if len(readings) == 0 {
		return nil, errEmpty
	}
	found := map[string]*Summary{}
	for _, reading := range readings {
		summary, known := found[reading.Sensor]
		if !known {
			summary = &Summary{Min: reading.Value, Max: reading.Value}
			found[reading.Sensor] = summary
		}
		summary.add(reading)
	}
	return found, nil
}

func (s *Summary) add(reading Reading) {
	s.Count++
	s.Sum += reading.Value
	if reading.Value < s.Min {
		s.Min = reading.Value
	}
	if reading.Value > s.Max {
		s.Max = reading.Value
		s.byHour[reading.Hour] = append(s.byHour[reading.Hour], reading.Value)
	}
}

func (s *Summary) mean() float64 {
	return s.Sum / float64(s.Count)
}

func (s *Summary) String() string {
	return fmt.Sprintf("%d values, %.1f to %.1f, mean %.2f", s.Count, s.Min, s.Max, s.mean())
}

const input = `
roof 6 11.5
cellar 6 9.0
roof 9 10.8
cellar 9 8.9
roof 12 17.2
garden 12 16.0
`

func read(text string) []Reading {
	var readings []Reading
	for number, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		reading, err := parse(line)
		if err != nil {
			fmt.Fprintf(os.Stderr, "line %d: %v\n", number+1, err)
			continue
		}
		readings = append(readings, reading)
	}
	return readings
}

func main() {
	summaries, err := summarise(read(input))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	names := make([]string, 0, len(summaries))
	for name := range summaries {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Printf("%-8s %v\n", name, summaries[name])
	}
}
