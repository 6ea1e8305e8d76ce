//! A point in time as people and programs write it, in UTC.

/// Days of four hundred years, after which the calendar repeats.
const ERA: u64 = 146_097;

pub struct Moment {
    date: String,
    hour: u64,
    minute: u64,
    second: u64,
}

impl Moment {
    /// By seconds since 1970.
    pub fn of(at: u64) -> Self {
        let (days, seconds) = (at / 86_400, at % 86_400);
        Self { date: date(days), hour: seconds / 3600, minute: seconds / 60 % 60, second: seconds % 60 }
    }

    /// `2026-11-18 11:06 UTC`.
    pub fn words(&self) -> String {
        format!("{} {:02}:{:02} UTC", self.date, self.hour, self.minute)
    }

    /// `2026-11-18T11:06:40Z`.
    pub fn rfc3339(&self) -> String {
        format!("{}T{:02}:{:02}:{:02}Z", self.date, self.hour, self.minute, self.second)
    }
}

/// By days since 1970. Years start in March here, so that the leap day is the last of one.
fn date(days: u64) -> String {
    let since = days + 719_468;
    let (era, day) = (since / ERA, since % ERA);
    let year = (day - day / 1460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_in_utc() {
        for (at, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(Moment::of(at).rfc3339(), expected);
        }
        assert_eq!(Moment::of(1_795_000_000).words(), "2026-11-18 11:06 UTC");
    }
}
